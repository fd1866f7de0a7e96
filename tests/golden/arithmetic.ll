; Integer arithmetic and its flags, comparison, selection.
define i32 @f(i32 %a, i32 %b) {
  %sum = add nsw i32 %a, %b
  %product = mul nuw i32 %sum, 7
  %quotient = sdiv exact i32 %product, %b
  %shifted = shl i32 %quotient, 3
  %less = icmp slt i32 %shifted, %a
  %least = select i1 %less, i32 %shifted, i32 %a
  ret i32 %least
}

define i32 @main() {
  %r = call i32 @f(i32 6, i32 -2)
  ret i32 %r
}
