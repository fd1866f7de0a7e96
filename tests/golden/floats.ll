; Floating point of three widths, comparison, conversion, an intrinsic.
declare double @llvm.sqrt.f64(double)
declare i32 @llvm.ctpop.i32(i32)

define double @f(float %x, double %y) {
  %x1 = fpext float %x to double
  %p = fmul double %x1, %y
  %q = fadd double %p, 5.000000e-01
  %o = fcmp ogt double %q, 0.000000e+00
  %n = fneg double %q
  %s = select i1 %o, double %q, double %n
  %r = call double @llvm.sqrt.f64(double %s)
  ret double %r
}

define i32 @main() {
  %d = call double @f(float 1.500000e+00, double 2.000000e+00)
  %l = fpext double %d to x86_fp80
  %m = fmul x86_fp80 %l, %l
  %i = fptosi x86_fp80 %m to i32
  %c = call i32 @llvm.ctpop.i32(i32 %i)
  ret i32 %c
}
