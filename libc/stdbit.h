/* SPDX-License-Identifier: MIT
 *
 * C23's <stdbit.h> (7.18), for compilers and C libraries that have none: the directory of this file is the last in which headers
 * are looked for.
 */
#ifndef __STDC_VERSION_STDBIT_H__
#define __STDC_VERSION_STDBIT_H__ 202311L

#include <limits.h>
#include <stddef.h>
#include <stdint.h>

#define __STDC_ENDIAN_LITTLE__ __ORDER_LITTLE_ENDIAN__
#define __STDC_ENDIAN_BIG__    __ORDER_BIG_ENDIAN__
#define __STDC_ENDIAN_NATIVE__ __BYTE_ORDER__

/* All functions of a type, whose names end in `suffix`. */
#define __STDBIT_FUNCTIONS(suffix, type)                                                                             \
	static inline unsigned stdc_leading_zeros_##suffix(type x)                                                   \
	{                                                                                                            \
		int width = (int)sizeof x * CHAR_BIT, all = (int)sizeof 0ULL * CHAR_BIT;                             \
		return (unsigned)(x ? __builtin_clzll(x) - (all - width) : width);                                   \
	}                                                                                                            \
	static inline unsigned stdc_leading_ones_##suffix(type x)                                                    \
	{                                                                                                            \
		return stdc_leading_zeros_##suffix((type)~x);                                                        \
	}                                                                                                            \
	static inline unsigned stdc_trailing_zeros_##suffix(type x)                                                  \
	{                                                                                                            \
		return (unsigned)(x ? __builtin_ctzll(x) : (int)sizeof x * CHAR_BIT);                                \
	}                                                                                                            \
	static inline unsigned stdc_trailing_ones_##suffix(type x)                                                   \
	{                                                                                                            \
		return stdc_trailing_zeros_##suffix((type)~x);                                                       \
	}                                                                                                            \
	static inline unsigned stdc_first_leading_zero_##suffix(type x)                                              \
	{                                                                                                            \
		return (type)~x ? stdc_leading_ones_##suffix(x) + 1 : 0;                                             \
	}                                                                                                            \
	static inline unsigned stdc_first_leading_one_##suffix(type x)                                               \
	{                                                                                                            \
		return x ? stdc_leading_zeros_##suffix(x) + 1 : 0;                                                   \
	}                                                                                                            \
	static inline unsigned stdc_first_trailing_zero_##suffix(type x)                                             \
	{                                                                                                            \
		return (type)~x ? stdc_trailing_ones_##suffix(x) + 1 : 0;                                            \
	}                                                                                                            \
	static inline unsigned stdc_first_trailing_one_##suffix(type x)                                              \
	{                                                                                                            \
		return x ? stdc_trailing_zeros_##suffix(x) + 1 : 0;                                                  \
	}                                                                                                            \
	static inline unsigned stdc_count_ones_##suffix(type x)                                                      \
	{                                                                                                            \
		return (unsigned)__builtin_popcountll(x);                                                            \
	}                                                                                                            \
	static inline unsigned stdc_count_zeros_##suffix(type x)                                                     \
	{                                                                                                            \
		return stdc_count_ones_##suffix((type)~x);                                                           \
	}                                                                                                            \
	static inline _Bool stdc_has_single_bit_##suffix(type x)                                                     \
	{                                                                                                            \
		return x && !(x & (x - 1));                                                                          \
	}                                                                                                            \
	static inline unsigned stdc_bit_width_##suffix(type x)                                                       \
	{                                                                                                            \
		return (unsigned)sizeof x * CHAR_BIT - stdc_leading_zeros_##suffix(x);                               \
	}                                                                                                            \
	static inline type stdc_bit_floor_##suffix(type x)                                                           \
	{                                                                                                            \
		return x ? (type)(1ULL << (stdc_bit_width_##suffix(x) - 1)) : 0;                                     \
	}                                                                                                            \
	static inline type stdc_bit_ceil_##suffix(type x) /* 0 if it does not fit, as in glibc */                    \
	{                                                                                                            \
		return x <= 1 ? 1 : (type)(2ULL << (stdc_bit_width_##suffix((type)(x - 1)) - 1));                    \
	}

__STDBIT_FUNCTIONS(uc, unsigned char)
__STDBIT_FUNCTIONS(us, unsigned short)
__STDBIT_FUNCTIONS(ui, unsigned)
__STDBIT_FUNCTIONS(ul, unsigned long)
__STDBIT_FUNCTIONS(ull, unsigned long long)
#undef __STDBIT_FUNCTIONS

/* clang-format off */
#define __STDBIT_GENERIC(name, x) \
	_Generic((x), unsigned char: name##_uc, unsigned short: name##_us, unsigned: name##_ui, \
		 unsigned long: name##_ul, unsigned long long: name##_ull)(x)
/* clang-format on */

#define stdc_leading_zeros(x)       __STDBIT_GENERIC(stdc_leading_zeros, x)
#define stdc_leading_ones(x)        __STDBIT_GENERIC(stdc_leading_ones, x)
#define stdc_trailing_zeros(x)      __STDBIT_GENERIC(stdc_trailing_zeros, x)
#define stdc_trailing_ones(x)       __STDBIT_GENERIC(stdc_trailing_ones, x)
#define stdc_first_leading_zero(x)  __STDBIT_GENERIC(stdc_first_leading_zero, x)
#define stdc_first_leading_one(x)   __STDBIT_GENERIC(stdc_first_leading_one, x)
#define stdc_first_trailing_zero(x) __STDBIT_GENERIC(stdc_first_trailing_zero, x)
#define stdc_first_trailing_one(x)  __STDBIT_GENERIC(stdc_first_trailing_one, x)
#define stdc_count_ones(x)          __STDBIT_GENERIC(stdc_count_ones, x)
#define stdc_count_zeros(x)         __STDBIT_GENERIC(stdc_count_zeros, x)
#define stdc_has_single_bit(x)      __STDBIT_GENERIC(stdc_has_single_bit, x)
#define stdc_bit_width(x)           __STDBIT_GENERIC(stdc_bit_width, x)
#define stdc_bit_floor(x)           __STDBIT_GENERIC(stdc_bit_floor, x)
#define stdc_bit_ceil(x)            __STDBIT_GENERIC(stdc_bit_ceil, x)

#endif
