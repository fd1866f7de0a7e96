/* SPDX-License-Identifier: MIT
 *
 * The words of states (state.h), stored as trees of nodes: see nodes.h.
 *
 * There is a tree for the threads and one for the rest.  The leaves of the first are four words of each slot: thread, locals,
 * heap, outcome.  Those of the other are the globals, the records, flags with the number of slots, the watched ranges, and
 * what is behind the outcomes.  Each four words of a level make a node, whose ref is a word of the next.  One that is left
 * over goes to the next level as it is, and four zeros are 0.  A level of three words is the top of the first tree; with that
 * of the other, one word, these are the root.  The shape of the other is always the same, so it tells the shape of the first:
 * equal roots are equal states.
 *
 * States that were looked at last are kept as they were before, with their trees: from one state to the next only few nodes
 * change, and only these are looked up.
 *
 * What is transient (table.h) is no tree but a blob of the words.  A state that is passed through and equal to one that was
 * looked at last has that one's ref.  It need not be looked for further: who passes through states compares them with each
 * other and with those he has come from.
 */
#include "large.h"
#include "limit.h"
#include "nodes.h"
#include "parts.h"
#include "trees.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#ifdef VM_DEBUG
#define KEPT 6u /* so that who uses words for too long is found out */
#else
#define KEPT 64u
#endif
#define LATELY      4u   /* of them, for what is passed through */
#define INDEX       256u /* a power of two */
#define SLOT_LEAVES 4u
#define HEAD_LEAVES 4u /* and what is behind the outcomes */
#define MOST_DEPTH  16u
#define TOP         (NODE_WORDS - 1u) /* of the words of a root, so many are for threads, and the last for the rest */

/* a state as it was before it was stored */
struct plain {
	vm_ref ref;      /* 0: none */
	uint32_t *words; /* with room for the most slots */
	uint32_t *head;  /* the trees, level by level, leaves first */
	uint32_t *threads;
	uint8_t newer, older;
};

static VM_OWN struct {
	struct plain kept[KEPT];
	uint8_t newest, oldest;
	uint8_t index[INDEX]; /* where a state may be, by its ref */
} cache;

/* ---- what there is beside the slots ---------------------------------------------------------------------------------- */

static uint32_t extra_bytes(void)
{
	return (uint32_t)((vm_is_temporal() ? sizeof vm_this.valuation : 0) + (vm_this.ends ? sizeof vm_this.started : 0));
}

static uint32_t head_leaves(void)
{
	return HEAD_LEAVES + extra_bytes() / (uint32_t)sizeof(uint32_t);
}

uint32_t vm_words_size(const uint32_t *words)
{
	uint32_t slots = words[1];
	return (uint32_t)sizeof *words * (STATE_WORDS + slots * STATE_SLOT_WORDS) + slots + extra_bytes();
}

/* ---- trees ----------------------------------------------------------------------------------------------------------- */

/* Return how many words the level above one of `count` words has. */
static uint32_t above(uint32_t count)
{
	return (count + NODE_WORDS - 1) / NODE_WORDS;
}

/* Store the node of `count` words in `ref`; one word stands for itself.  Return false if there is no room. */
static bool make_node(const uint32_t *words, uint32_t count, uint32_t *ref)
{
	struct vm_node node = { 0 };
	uint32_t any = 0;
	if (count == 1) {
		*ref = *words;
		return true;
	}
	for (uint32_t i = 0; i < count; i++)
		any |= node.words[i] = words[i];
	*ref = any ? vm_node_put(&node) : 0;
	return *ref || !any;
}

/* Are `few` words the same?  Most calls ask for a whole node, which takes two comparisons. */
static bool same(const uint32_t *a, const uint32_t *b, uint32_t few)
{
	return few == NODE_WORDS ? memcmp(a, b, NODE_WORDS * sizeof *a) == 0 : memcmp(a, b, few * sizeof *a) == 0;
}

/* Fill in the level above `level`, which has `count` words; the level above lies behind them.  Words that are as in `other`, the
 * same level of another tree of the same shape, have the nodes that they have there.  Return false if there is no room. */
static bool grow_level(uint32_t *level, const uint32_t *other, uint32_t count)
{
	for (uint32_t i = 0, k = 0; i < count; i += NODE_WORDS, k++) {
		uint32_t few = count - i < NODE_WORDS ? count - i : NODE_WORDS;
		if (other && same(level + i, other + i, few))
			level[count + k] = other[count + k];
		else if (!make_node(level + i, few, &level[count + k]))
			return false;
	}
	return true;
}

/* Complete a tree with so many leaves, up to a level of at most `most` words, and return that level; NULL if there is no room. */
static const uint32_t *grow(uint32_t *tree, const uint32_t *other, uint32_t leaves, uint32_t most)
{
	for (uint32_t count = leaves; count > most; count = above(count)) {
		if (!grow_level(tree, other, count))
			return NULL;
		tree += count;
		other = other ? other + count : NULL;
	}
	return tree;
}

/* Fill in all of a tree with so many leaves from its top, a level of at most `most` words; `nodes` are those of the table. */
static void ungrow(uint32_t *tree, uint32_t leaves, uint32_t most, const uint32_t *top, const struct vm_node *nodes)
{
	uint32_t counts[MOST_DEPTH], levels = 1, begin = 0;
	for (counts[0] = leaves; counts[levels - 1] > most; levels++) {
		assert(levels < MOST_DEPTH);
		begin += counts[levels - 1];
		counts[levels] = above(counts[levels - 1]);
	}
	memcpy(tree + begin, top, counts[levels - 1] * sizeof *tree);
	for (uint32_t level = levels - 1; level-- > 0;) {
		uint32_t count = counts[level], *to = tree + begin - count;
		for (uint32_t i = 0, k = 0; i < count; i += NODE_WORDS, k++) {
			uint32_t few = count - i < NODE_WORDS ? count - i : NODE_WORDS, ref = tree[begin + k];
			if (few == 1)
				to[i] = ref;
			else if (ref)
				memcpy(to + i, nodes[ref].words, few * sizeof *to);
			else
				memset(to + i, 0, few * sizeof *to);
		}
		begin -= count;
	}
}

/* ---- words and leaves ------------------------------------------------------------------------------------------------ */

static void to_leaves(const uint32_t *words, uint32_t *head, uint32_t *threads)
{
	uint32_t slots = words[1];
	const uint8_t *outcomes = vm_state_outcomes(words);
	head[0] = words[2];
	head[1] = words[STATE_RECORDS];
	head[2] = words[0] << 16 | slots;
	head[3] = words[3];
	memcpy(head + HEAD_LEAVES, outcomes + slots, extra_bytes());
	for (uint32_t i = 0; i < slots; i++) {
		memcpy(threads + i * SLOT_LEAVES, words + STATE_WORDS + i * STATE_SLOT_WORDS, STATE_SLOT_WORDS * sizeof *words);
		threads[i * SLOT_LEAVES + STATE_SLOT_WORDS] = outcomes[i];
	}
}

static void from_leaves(uint32_t *words, const uint32_t *head, const uint32_t *threads)
{
	uint32_t slots = head[2] & 0xffff;
	words[0] = head[2] >> 16;
	words[1] = slots;
	words[2] = head[0];
	words[3] = head[3];
	words[STATE_RECORDS] = head[1];
	uint8_t *outcomes = (uint8_t *)vm_state_outcomes(words);
	for (uint32_t i = 0; i < slots; i++) {
		memcpy(words + STATE_WORDS + i * STATE_SLOT_WORDS, threads + i * SLOT_LEAVES, STATE_SLOT_WORDS * sizeof *words);
		outcomes[i] = (uint8_t)threads[i * SLOT_LEAVES + STATE_SLOT_WORDS];
	}
	memcpy(outcomes + slots, head + HEAD_LEAVES, extra_bytes());
}

/* ---- states that were looked at last --------------------------------------------------------------------------------- */

static void *array(size_t words)
{
	void *memory = calloc(words, sizeof(uint32_t));
	if (!memory)
		vm_inconclusive(LIMIT_MEMORY, "the memory limit is reached");
	return memory;
}

void vm_words_open(void)
{
	uint32_t slots = vm_this.thread_capacity + 1;
	for (uint32_t i = 0; i < KEPT; i++) {
		struct plain *plain = &cache.kept[i];
		plain->words = array(STATE_WORDS + slots * STATE_SLOT_WORDS + slots + head_leaves());
		plain->head = array(2 * head_leaves() + MOST_DEPTH);
		plain->threads = array(2 * slots * SLOT_LEAVES + MOST_DEPTH);
		plain->newer = (uint8_t)((i + KEPT - 1) % KEPT);
		plain->older = (uint8_t)((i + 1) % KEPT);
	}
	cache.newest = 0;
	cache.oldest = KEPT - 1;
}

void vm_words_close(void)
{
	for (uint32_t i = 0; i < KEPT; i++) {
		free(cache.kept[i].words);
		free(cache.kept[i].head);
		free(cache.kept[i].threads);
	}
}

static uint8_t *indexed(vm_ref ref)
{
	return &cache.index[ref * 2654435761u >> 24 & (INDEX - 1)];
}

static void make_newest(uint8_t number)
{
	struct plain *kept = cache.kept;
	if (cache.newest == number)
		return;
	if (cache.oldest == number)
		cache.oldest = kept[number].newer;
	/* the list is a circle: the newest is behind the oldest */
	kept[kept[number].newer].older = kept[number].older;
	kept[kept[number].older].newer = kept[number].newer;
	kept[number].older = cache.newest;
	kept[number].newer = cache.oldest;
	kept[cache.newest].newer = number;
	kept[cache.oldest].older = number;
	cache.newest = number;
}

static struct plain *known(vm_ref ref)
{
	uint8_t number = cache.kept[cache.newest].ref == ref ? cache.newest : *indexed(ref);
	if (cache.kept[number].ref != ref)
		return NULL;
	make_newest(number);
	return &cache.kept[number];
}

/* Let the oldest of the states that are kept, which has just been filled in, be the state `ref`. */
static void keep_oldest(vm_ref ref)
{
	uint8_t number = cache.oldest;
	cache.kept[number].ref = ref;
	*indexed(ref) = number;
	make_newest(number);
}

static void unfold(struct plain *plain, vm_ref ref, const struct vm_node *nodes)
{
	const struct vm_node *root = &nodes[ref];
	ungrow(plain->head, head_leaves(), 1, &root->words[TOP], nodes);
	assert((plain->head[2] & 0xffff) <= vm_this.thread_capacity);
	ungrow(plain->threads, SLOT_LEAVES * (plain->head[2] & 0xffff), TOP, root->words, nodes);
	from_leaves(plain->words, plain->head, plain->threads);
}

const uint32_t *vm_state_words(vm_ref ref)
{
	assert(ref);
	if (vm_is_transient(ref))
		return vm_table_get(ref);
	struct plain *plain = known(ref);
	if (plain)
		return plain->words;
	plain = &cache.kept[cache.oldest];
	unfold(plain, ref, vm_nodes());
	keep_oldest(ref);
	return plain->words;
}

void vm_words_forget(void)
{
	vm_large_forget();
	for (uint32_t i = 0; i < KEPT; i++)
		cache.kept[i].ref = 0;
}

const uint32_t *vm_words_old(vm_ref ref)
{
	assert(ref && !vm_is_transient(ref));
	struct plain *plain = &cache.kept[cache.oldest];
	plain->ref = 0;
	unfold(plain, ref, vm_nodes_old());
	return plain->words;
}

/* ---- storing --------------------------------------------------------------------------------------------------------- */

/* Return how many words are on top of the tree of threads, which has so many leaves. */
static uint32_t top_words(uint32_t leaves)
{
	while (leaves > TOP)
		leaves = above(leaves);
	return leaves;
}

/* Store the words as a tree, and return its ref; 0 if there is no room. */
static vm_ref fold(const uint32_t *words)
{
	struct plain *plain = &cache.kept[cache.oldest];
	const struct plain *other = cache.kept[cache.newest].ref ? &cache.kept[cache.newest] : NULL;
	uint32_t slots = words[1], leaves = slots * SLOT_LEAVES, top = top_words(leaves);
	const uint32_t *alike = other && other->words[1] == slots ? other->threads : NULL;
	assert(slots <= vm_this.thread_capacity);
	plain->ref = 0;
	to_leaves(words, plain->head, plain->threads);
	const uint32_t *threads = grow(plain->threads, alike, leaves, TOP);
	const uint32_t *head = grow(plain->head, other ? other->head : NULL, head_leaves(), 1);
	if (!threads || !head)
		return 0;
	struct vm_node root = { .words[TOP] = *head };
	memcpy(root.words, threads, top * sizeof *threads);
	vm_ref ref = vm_node_put(&root);
	if (ref == 0)
		return 0;
	if (known(ref))
		return ref;
	memcpy(plain->words, words, vm_words_size(words));
	keep_oldest(ref);
	return ref;
}

/* ---- trees as they are ----------------------------------------------------------------------------------------------- */

struct vm_tree *vm_tree_new(void)
{
	uint32_t slots = vm_this.thread_capacity + 1;
	struct vm_tree *tree = malloc(sizeof *tree + (2 * slots + MOST_DEPTH) * sizeof *tree->nodes);
	if (!tree)
		vm_inconclusive(LIMIT_MEMORY, "the memory limit is reached");
	return tree;
}

void vm_tree_of(vm_ref state, struct vm_tree *tree)
{
	const struct vm_node *nodes = vm_nodes(), *root = &nodes[state];
	assert(extra_bytes() == 0 && !vm_is_transient(state));
	tree->head = root->words[TOP];
	tree->slots = nodes[tree->head].words[2] & 0xffff;
	ungrow(tree->nodes, tree->slots, TOP, root->words, nodes);
}

vm_ref vm_tree_put(const struct vm_tree *tree, struct vm_change *changes, uint32_t count, vm_ref head)
{
	assert(count == 0 || changes[count - 1].at < tree->slots); /* in ascending order, so the others are, too */
	struct vm_node root = { .words[TOP] = head };
	const uint32_t *level = tree->nodes;
	uint32_t width = tree->slots;
	for (; width > TOP; level += width, width = above(width)) {
		uint32_t kept = 0;
		for (uint32_t i = 0; i < count; kept++) {
			uint32_t at = changes[i].at / NODE_WORDS, begin = at * NODE_WORDS, words[NODE_WORDS];
			uint32_t few = width - begin < NODE_WORDS ? width - begin : NODE_WORDS;
			memcpy(words, level + begin, few * sizeof *words);
			for (; i < count && changes[i].at / NODE_WORDS == at; i++)
				words[changes[i].at - begin] = changes[i].ref;
			assert(kept < i); /* what is overwritten has been read */
			if (!make_node(words, few, &changes[kept].ref))
				return 0;
			changes[kept].at = at;
		}
		count = kept;
	}
	memcpy(root.words, level, width * sizeof *level);
	for (uint32_t i = 0; i < count; i++)
		root.words[changes[i].at] = changes[i].ref;
	return vm_node_put(&root);
}

/* ---------------------------------------------------------------------------------------------------------------------- */

/* Return the ref of the state with these words if it is one of the LATELY that were looked at last; else 0. */
static vm_ref lately(const uint32_t *words, uint32_t size)
{
	for (uint8_t i = 0, number = cache.newest; i < LATELY; i++, number = cache.kept[number].older) {
		const struct plain *plain = &cache.kept[number];
		if (plain->ref && memcmp(plain->words, words, STATE_WORDS * sizeof *words) == 0 &&
		    memcmp(plain->words, words, size) == 0)
			return plain->ref;
	}
	return 0;
}

vm_ref vm_words_put(const uint32_t *words)
{
	if (!vm_transient_is_on())
		return fold(words);
	uint32_t size = vm_words_size(words);
	vm_ref ref = lately(words, size);
	return ref ? ref : vm_transient_put(words, size);
}
