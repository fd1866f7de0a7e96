; Widths that take one slot or two, and the conversions between them.
define i128 @wide(i128 %x, i65 %y, i7 %z) {
  %y1 = zext i65 %y to i128
  %z1 = sext i7 %z to i128
  %s = xor i128 %x, %y1
  %t = sub i128 %s, %z1
  %c = icmp ult i128 %t, 18446744073709551617
  %d = select i1 %c, i128 %t, i128 -1
  ret i128 %d
}

define i32 @main() {
  %w = call i128 @wide(i128 1, i65 2, i7 -3)
  %o = call i1 @order(i136 1, i136 -2)
  %n = trunc i128 %w to i32
  ret i32 %n
}

define i1 @order(i136 %x, i136 %y) {
  %c = icmp sge i136 %x, %y
  ret i1 %c
}
