/* SPDX-License-Identifier: MIT
 *
 * The stack of layers; see layers.h.
 */
#include "../step/layers.h"
#include "../base/plan.h"

#include <assert.h>

static const struct vm_layer *const layers[LAYERS] = {
#define LAYER(name) [LAYER_##name] = &vm_layer_##name,
#include "../step/layers.def"
#undef LAYER
};

static VM_OWN struct {
	bool in[LAYERS];
	unsigned decisions; /* of the plan, when this was stacked; 0: it was not */
} stack;

/* Return `layer` on top of `below`. */
static struct vm_layer on_top(const struct vm_layer *layer, const struct vm_layer *below)
{
	return (struct vm_layer){
		.step = layer->step ? layer->step : below->step,
		.look = layer->look ? layer->look : below->look,
		.offers = layer->offers ? layer->offers : below->offers,
		.run = layer->run ? layer->run : below->run,
		.take = layer->take ? layer->take : below->take,
		.replay = layer->replay ? layer->replay : below->replay,
	};
}

static void restack(void)
{
	for (unsigned i = 0; i < LAYERS; i++) {
		stack.in[i] = layers[i]->suits();
		vm_below[i + 1] = stack.in[i] ? on_top(layers[i], &vm_below[i]) : vm_below[i];
	}
	stack.decisions = vm_plan_decisions();
	assert(vm_below[LAYERS].step && vm_below[LAYERS].take);
}

const struct vm_layer *vm_top(void)
{
	if (stack.decisions != vm_plan_decisions())
		restack();
	return &vm_below[LAYERS];
}

void vm_layers_forget(void)
{
	for (unsigned i = 0; i < LAYERS; i++)
		if (stack.in[i] && layers[i]->forget)
			layers[i]->forget();
}
