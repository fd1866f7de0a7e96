; A loop with phi nodes that swap, and a switch: the head of the loop may come to rest.
define i32 @main() {
entry:
  br label %head

head:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %a = phi i32 [ 1, %entry ], [ %b, %latch ]
  %b = phi i32 [ 2, %entry ], [ %a, %latch ]
  %more = icmp ult i32 %i, 10
  br i1 %more, label %body, label %done

body:
  switch i32 %i, label %latch [
    i32 3, label %done
    i32 -1, label %never
  ]

latch:
  %next = add i32 %i, 1
  br label %head

never:
  unreachable

done:
  %r = sub i32 %a, %b
  ret i32 %r
}
