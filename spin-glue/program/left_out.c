/* SPDX-License-Identifier: MIT
 *
 * What slicing leaves out, by the names in the image.  A check may have several images, as each formula looks at something else:
 * only what all of them leave out is told, as nothing that is checked depends on that.
 */
#include "program.h"
#include "../base/base.h"

static bool has(const json_t *array, const json_t *wanted)
{
	const json_t *one;
	size_t i;
	json_array_foreach (array, i, one)
		if (json_equal(one, wanted))
			return true;
	return false;
}

void left_out_read(struct program *program)
{
	struct image image;
	char error[4400];
	json_t *before = program->left_out, *now = json_array();
	if (image_load(&image, program->image, error, sizeof error) < 0)
		BUG("%s", error);
	for (uint64_t i = 0; i < image.counts[IMAGE_LEFT_OUT]; i++) {
		const struct image_left_out *row = &image.left_out[i];
		json_t *one = json_pack("{s:s, s:s, s:I}", "name", image_string(&image, row->name), "file",
					image_file(&image, row->location), "line", (json_int_t)image_line(&image, row->location));
		if (!one)
			BUG("what slicing leaves out is no JSON");
		if (!before || has(before, one))
			json_array_append(now, one);
		json_decref(one);
	}
	image_release(&image);
	json_decref(before);
	program->left_out = now;
}
