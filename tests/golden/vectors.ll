; Vectors become scalars.
define i32 @main() {
  %v = insertelement <2 x i32> <i32 1, i32 2>, i32 7, i32 0
  %w = add <2 x i32> %v, <i32 10, i32 20>
  %c = icmp sgt <2 x i32> %w, zeroinitializer
  %x = zext <2 x i1> %c to <2 x i32>
  %y = shufflevector <2 x i32> %w, <2 x i32> %x, <2 x i32> <i32 1, i32 2>
  %a = extractelement <2 x i32> %y, i32 0
  %b = extractelement <2 x i32> %y, i32 1
  %r = sub i32 %a, %b
  ret i32 %r
}
