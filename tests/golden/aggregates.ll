; Aggregates in registers, overflow flags, recursion.
declare { i32, i1 } @llvm.sadd.with.overflow.i32(i32, i32)

define { i32, i64 } @pair(i32 %a, i64 %b) {
  %p = insertvalue { i32, i64 } undef, i32 %a, 0
  %q = insertvalue { i32, i64 } %p, i64 %b, 1
  ret { i32, i64 } %q
}

define i32 @sum(i32 %n) {
  %zero = icmp eq i32 %n, 0
  br i1 %zero, label %end, label %more

more:
  %m = sub i32 %n, 1
  %s = call i32 @sum(i32 %m)
  %o = call { i32, i1 } @llvm.sadd.with.overflow.i32(i32 %s, i32 %n)
  %v = extractvalue { i32, i1 } %o, 0
  %f = extractvalue { i32, i1 } %o, 1
  %w = select i1 %f, i32 -1, i32 %v
  ret i32 %w

end:
  ret i32 0
}

define i32 @main() {
  %p = call { i32, i64 } @pair(i32 4, i64 5)
  %a = extractvalue { i32, i64 } %p, 0
  %s = call i32 @sum(i32 %a)
  ret i32 %s
}
