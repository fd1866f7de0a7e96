/* SPDX-License-Identifier: MIT
 *
 * What does not distinguish states (--mask, --abstract).
 */
#include "request.h"
#include "../symbols/symbols.h"

#include <string.h>

void add_views(struct translation *t)
{
	for (size_t i = 0; i < t->request->nviews; i++) {
		const struct translator_view *v = &t->request->views[i];
		bool mask = v->kind == VIEW_MASK;
		LLVMValueRef symbol = mask ? LLVMGetNamedGlobal(t->module, v->symbol) : LLVMGetNamedFunction(t->module, v->symbol);
		if (!mask && (!symbol || LLVMIsDeclaration(symbol) || LLVMCountParams(symbol) != 0)) {
			complain(t, NULL, "there is no function 'void %s(void)' in the program", v->symbol);
			continue;
		}
		if (!symbol) {
			complain(t, NULL, "the mask '%s' is not among what clang made of the program", v->text);
			continue;
		}
		struct image_view view = {
			.kind = v->kind,
			.index = mask ? global_index(t, symbol) : function_index(t, symbol),
			.text = builder_string(&t->builder, v->text, strlen(v->text)),
		};
		builder_add(&t->builder, IMAGE_VIEWS, &view, 1);
	}
}
