/* SPDX-License-Identifier: MIT
 *
 * Pictures: the state space as Graphviz draws it (--graph), and states against bounds as gnuplot plots them (--plot).  Their
 * languages are written to the file that the user named, or, for an SVG, to the work directory, where the tool reads them.
 */
#include "output.h"
#include "report.h"
#include "../base/base.h"
#include "../base/fields.h"
#include "../base/target.h"
#include "../options/options.h"
#include "../pan/job.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 60 /* bytes of a line of a label */, LINES = 4 /* events of a step */ };

static bool has_suffix(const char *name, const char *suffix)
{
	size_t n = strlen(name), m = strlen(suffix);
	return n > m && strcmp(name + n - m, suffix) == 0;
}

/* Return `name`, the file of `option`, if it can be drawn.  Return NULL if `tool` is not installed: the check goes on without
 * that picture. */
static const char *drawable(const char *option, const char *name, const char *suffix, const char *tool, const char *package)
{
	if (!name || has_suffix(name, suffix))
		return name;
	if (!has_suffix(name, ".svg"))
		fail("the file of %s is '%s', and should end in %s or .svg", option, name, suffix);
	char *found = find_program(tool);
	if (!found)
		fprintf(stderr, "bitspin: cannot draw '%s': %s is not installed (package %s); a file that ends in %s needs no %s\n",
			name, tool, package, suffix, tool);
	bool there = found != NULL;
	free(found);
	return there ? name : NULL;
}

void pictures_check(struct options *o)
{
	if (o->plot && !o->bounded)
		fail("--plot needs --preemptions, as --preemptions iterate");
	o->graph = drawable("--graph", o->graph, ".dot", "dot", "graphviz");
	o->plot = drawable("--plot", o->plot, ".gp", "gnuplot", "gnuplot-nox");
}

/* Write the file `made`, which is in the work directory, to `name`, which the user has asked for by `option`. */
static void hand_over(const char *option, const char *made, const char *name)
{
	size_t size;
	char *bytes = read_file(made, &size);
	if (!bytes)
		fprintf(stderr, "bitspin: cannot write '%s': %s\n", name, strerror(errno));
	else
		targets_write(option, name, bytes, size);
	free(bytes);
}

/* Append our mark to `made`, a picture that another program has drawn: so it is known as ours. */
static void mark(const char *made)
{
	FILE *out = fopen(made, "ae");
	if (out)
		fputs(TARGET_PICTURE "\n", out);
	if (out)
		fclose(out);
}

/* Have a tool make the picture that the user named, of a file in the work directory, or say that it cannot. */
static void draw(const struct job *job, const char *option, const char *const argv[], const char *made, const char *name)
{
	assert(made && name);
	char *errors = text("%s/picture.err", job->program.work);
	int status = 1;
	const struct process process = { .argv = argv, .directory = job->program.work, .output = errors, .errors = errors };
	enum process_end end = process_run(&process, &status);
	if (end == PROCESS_EXITED && status == 0) {
		mark(made);
		hand_over(option, made, name);
	} else if (end == PROCESS_TIMED_OUT || end == PROCESS_INTERRUPTED)
		fprintf(stderr, "bitspin: there was no time left to draw '%s'\n", name);
	else {
		char *said = read_file(errors, NULL);
		fprintf(stderr, "bitspin: '%s' cannot draw '%s': %.*s\n", argv[0], name, said ? (int)strcspn(said, "\n") : 0,
			said ? said : "");
		free(said);
	}
	free(errors);
}

static bool close_file(FILE *out, const char *name)
{
	bool good = out && !ferror(out);
	if (out && fclose(out) == 0 && good)
		return true;
	fprintf(stderr, "bitspin: cannot write '%s': %s\n", name, strerror(errno));
	return false;
}

/* ---- the state space ----------------------------------------------------------------------------------------------- */

static bool is_of(const json_t *record, const char *type)
{
	return field_is(record, "type", type);
}

/* Write at most `most` bytes of the UTF-8 in `bytes`, as a part of a string of dot. */
static void put_text(FILE *out, const char *bytes, size_t most)
{
	size_t n = strlen(bytes), shown = n;
	if (n > most)
		for (shown = most; shown > 0 && ((unsigned char)bytes[shown] & 0xc0) == 0x80;)
			shown--;
	assert(shown <= most && shown <= n);
	for (size_t i = 0; i < shown; i++) {
		unsigned char c = (unsigned char)bytes[i];
		if (c == '"' || c == '\\')
			fputc('\\', out);
		fputc(c < ' ' || c == 127 ? ' ' : c, out);
	}
	if (shown < n)
		fputs("...", out);
}

static void put_line(FILE *out, const char *line)
{
	put_text(out, line, WIDTH);
	fputs("\\l", out);
}

/* Return the thread and the place of `record`, as "thread 1 at pool.c:14"; malloc'ed. */
static char *place_text(const json_t *record)
{
	const char *file = field_text(record, "file"), *slash = strrchr(file, '/');
	long long line = field_number(record, "line"), thread = field_number(record, "thread");
	return line ? text("thread %lld at %s:%lld", thread, slash ? slash + 1 : file, line) : text("thread %lld", thread);
}

static void put_node(FILE *out, const json_t *node, const json_t *violation, bool bold)
{
	const char *final = field_text(node, "final");
	size_t i;
	json_t *thread;
	fprintf(out, "  n%lld [label=\"", field_number(node, "node"));
	if (strcmp(final, "violation") == 0) {
		assert(violation);
		char *place = place_text(violation);
		put_line(out, field_text(violation, "kind"));
		put_line(out, place);
		free(place);
	} else if (*final) {
		put_line(out, strcmp(final, "end") == 0 ? "the program ends" : "cut: not explored from here");
	}
	json_array_foreach (json_object_get(node, "threads"), i, thread) {
		char *place = place_text(thread);
		const char *waits = field_text(thread, "waits");
		char *line = text("%s%s%.*s", place, *waits ? " " : "", (int)strcspn(waits, ",;("), waits);
		put_line(out, line);
		free(line);
		free(place);
	}
	fprintf(out, "\"%s%s];\n",
		strcmp(final, "violation") == 0   ? ", style=filled, fillcolor=\"#ffd7d5\", color=\"#c62828\"" :
			strcmp(final, "end") == 0 ? ", peripheries=2" :
			*final                    ? ", style=dashed" :
						    "",
		bold ? ", penwidth=3" : "");
}

/* Write the first events of the step whose records begin at `from`.  Reads are left out, unless there is nothing else. */
static void put_events(FILE *out, const json_t *records, size_t from)
{
	size_t shown = 0, more = 0, others = 0;
	const json_t *event;
	for (size_t i = from; (event = json_array_get(records, i)) && !is_of(event, "edge"); i++)
		others += is_of(event, "event") && strcmp(field_text(event, "action"), "read") != 0;
	for (size_t i = from; (event = json_array_get(records, i)) && !is_of(event, "edge"); i++) {
		const char *action = field_text(event, "action");
		if (!is_of(event, "event") || (others && strcmp(action, "read") == 0) || strcmp(action, "fault") == 0)
			continue;
		if (shown == LINES) {
			more++;
			continue;
		}
		char *line = event_words(event);
		put_line(out, line);
		free(line);
		shown++;
	}
	if (more)
		fprintf(out, "... and %zu more\\l", more);
}

/* Return which records are edges on a shortest path to a violation, malloc'ed.  It is one of the kind and at the line of the
 * job's first violation; if there is none, the first in `records`. */
static bool *path_of(const struct job *job, const json_t *records)
{
	size_t n = json_array_size(records), i, goal = n;
	const json_t *wanted = json_array_get(job->result.violations, 0);
	bool *on_path = calloc(n + 1, sizeof *on_path), exact = false;
	json_t *record;
	size_t edge = n;
	if (!on_path)
		BUG("out of memory");
	json_array_foreach (records, i, record) {
		edge = is_of(record, "edge") ? i : edge;
		if (!is_of(record, "violation") || exact)
			continue;
		exact = wanted && strcmp(field_text(wanted, "kind"), field_text(record, "kind")) == 0 &&
			field_number(wanted, "line") == field_number(record, "line");
		goal = goal == n || exact ? edge : goal;
	}
	while (goal < n) { /* back to the edge that has found the node, which is the first to lead there */
		assert(!on_path[goal]);
		on_path[goal] = true;
		long long node = field_number(json_array_get(records, goal), "from");
		goal = n;
		for (i = 0; node && i < n && goal == n; i++)
			if (is_of(json_array_get(records, i), "edge") && field_number(json_array_get(records, i), "to") == node)
				goal = i;
	}
	return on_path;
}

static void put_head(FILE *out, const struct job *job, const json_t *graph)
{
	long long left_out = field_number(graph, "left_out");
	fputs("// the states of a program, and the steps between them; drawn by dot -Tsvg\ndigraph states {\n  graph [labelloc=t, "
	      "label=\"",
	      out);
	for (size_t i = 0; i < job->inputs->options.files.count; i++) {
		put_text(out, job->inputs->options.files.items[i], SIZE_MAX);
		fputs(i + 1 < job->inputs->options.files.count ? ", " : ": ", out);
	}
	fprintf(out, "%lld states, %lld steps", field_number(graph, "states"), field_number(graph, "steps"));
	if (left_out)
		fprintf(out, "\\nCUT: %lld more step%s to states that are not shown (--graph-states)", left_out,
			left_out == 1 ? " leads" : "s lead");
	fputs("\", fontname=\"sans-serif\", fontsize=12, ranksep=0.35, nodesep=0.3];\n"
	      "  node [shape=box, style=rounded, margin=\"0.18,0.07\", fontname=\"sans-serif\", fontsize=10];\n"
	      "  edge [fontname=\"sans-serif\", fontsize=9, arrowsize=0.7];\n",
	      out);
}

static void put_graph(FILE *out, const struct job *job, const json_t *records, const json_t *graph)
{
	static const char *const colours[] = { "#2563c9", "#c2410c", "#15803d", "#9333c2",
					       "#b4155f", "#0b7285", "#7a6200", "#5b5bd6" };
	bool *on_path = path_of(job, records);
	const json_t *violation = NULL;
	size_t i, edge = 0;
	json_t *record;
	put_head(out, job, graph);
	json_array_foreach (records, i, record) {
		if (is_of(record, "edge")) {
			char *place = place_text(record);
			assert(field_number(record, "thread") >= 0);
			const char *colour = colours[field_number(record, "thread") % 8];
			edge = i;
			fprintf(out, "  n%lld -> n%lld [color=\"%s\", fontcolor=\"%s\"%s, label=\"", field_number(record, "from"),
				field_number(record, "to"), colour, colour, on_path[i] ? ", penwidth=3, class=path" : "");
			put_line(out, place);
			put_events(out, records, i + 1);
			fputs("\"];\n", out);
			free(place);
		} else if (is_of(record, "violation")) {
			violation = record;
		} else if (is_of(record, "node")) {
			put_node(out, record, violation, i == 0 || on_path[edge]);
		}
	}
	fputs("}\n", out);
	free(on_path);
}

void graph_write(const struct job *job, const json_t *records)
{
	const char *name = job->inputs->options.graph;
	char *dot = text("%s/states.dot", job->program.work), *made = text("%s/states.svg", job->program.work);
	const json_t *graph = NULL;
	size_t i;
	json_t *record;
	json_array_foreach (records, i, record)
		graph = is_of(record, "graph") ? record : graph;
	if (!graph) {
		fprintf(stderr, "bitspin: cannot draw '%s': %s before all states were known\n", name,
			process_out_of_time() ? "the time limit was reached" : "a limit of the search was reached");
	} else {
		FILE *out = fopen(dot, "we");
		if (out)
			put_graph(out, job, records, graph);
		const char *const argv[] = { "dot", "-Tsvg", "-o", made, dot, NULL };
		bool written = close_file(out, dot);
		if (written && has_suffix(name, ".svg"))
			draw(job, "graph", argv, made, name);
		else if (written)
			hand_over("graph", dot, name);
	}
	free(dot);
	free(made);
}

/* ---- states against bounds ----------------------------------------------------------------------------------------- */

static void put_plot(FILE *out, const struct job *job)
{
	size_t i;
	json_t *bound;
	fputs("# states that schedules with so many preemptions reach; gnuplot FILE.gp >FILE.svg\n"
	      "$bounds << END\n",
	      out);
	json_array_foreach (job->result.bounds, i, bound)
		fprintf(out, "%lld %lld %.6f\n", field_number(bound, "preemptions"), field_number(bound, "states"),
			json_number_value(json_object_get(bound, "seconds")));
	fputs("END\nset terminal svg size 800,500 font 'sans-serif,13' background 'white'\nset title \"", out);
	for (i = 0; i < job->inputs->options.files.count; i++) {
		put_text(out, job->inputs->options.files.items[i], SIZE_MAX);
		fputs(i + 1 < job->inputs->options.files.count ? ", " : "", out);
	}
	fputs(": states by preemptions\" noenhanced\n"
	      "set xlabel 'at most so many preemptions'\nset ylabel 'states'\nset y2label 'seconds'\n"
	      "set xtics 1\nset ytics nomirror\nset y2tics\nset yrange [0:*]\nset y2range [0:*]\nset key top left\nset grid ytics\n"
	      "plot $bounds using 1:2 with linespoints lw 2 pt 7 title 'states', \\\n"
	      "     $bounds using 1:3 axes x1y2 with linespoints lw 2 pt 5 dt 2 title 'seconds'\n",
	      out);
}

void plot_write(const struct job *job)
{
	const char *name = job->inputs->options.plot;
	if (json_array_size(job->result.bounds) == 0) {
		fprintf(stderr, "bitspin: there is nothing to plot in '%s': no bound was completed\n", name);
		return;
	}
	char *script = text("%s/bounds.gp", job->program.work), *made = text("%s/picture.err", job->program.work);
	FILE *out = fopen(script, "we");
	if (out)
		put_plot(out, job);
	const char *const argv[] = { "gnuplot", script, NULL };
	bool written = close_file(out, script);
	if (written && has_suffix(name, ".svg"))
		draw(job, "plot", argv, made, name);
	else if (written)
		hand_over("plot", script, name);
	free(script);
	free(made);
}
