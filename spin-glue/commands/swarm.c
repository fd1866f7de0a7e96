/* SPDX-License-Identifier: MIT
 *
 * bitspin swarm: many searches of one program, each in its own way, from a budget of time and memory.  Each search is a plain
 * `bitspin check`, so that there is nothing here but a list of command lines and what comes of their reports.
 */
#include "swarm.h"
#include "commands.h"
#include "../base/base.h"
#include "../options/options.h"
#include "../options/rows.h"
#include "../pan/job.h"
#include "../pan/pan.h"
#include "../report/report.h"
#include "../report/screen.h"
#include "../simulate/simulate.h"
#include "../../runtime/state/machine.h"

#include <assert.h>
#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { USUAL_SECONDS = 60, ROUNDS = 4, LEAST_SECONDS = 5, LEAST_MEGABYTES = 64 };

/* ---- command lines ------------------------------------------------------------------------------------------------- */

/* Is `option` not meant for each search, but for the swarm, or for its report? */
static bool is_own(enum option_id option)
{
	static const enum option_id reports[] = { OPT_HTML, OPT_SARIF, OPT_JUNIT, OPT_WITNESS, OPT_FORMAT, OPT_STORY, OPT_COLOR };
	for (size_t i = 0; i < sizeof reports / sizeof *reports; i++)
		if (option == reports[i])
			return true;
	return option_rows[option].commands & option_set_of('W');
}

/* Add to `words` those words of the command line that each search gets. */
static void take_words(int argc, char **argv, struct list *words)
{
	bool ours = true;
	for (int i = 1; i < argc; i++) {
		ours = ours && strcmp(argv[i], "--") != 0; /* what comes after it is the program's */
		enum option_id option = ours ? option_of('W', argv[i]) : OPTIONS;
		bool apart = ours && option_takes_next('W', argv[i]);
		if (option == OPTIONS || !is_own(option)) {
			list_add(words, argv[i]);
			if (apart && i + 1 < argc)
				list_add(words, argv[++i]);
		} else if (apart) {
			i++;
		}
	}
}

static void refuse(const struct options *o)
{
	static const enum option_id chosen[] = { OPT_SEARCH,   OPT_SEED,   OPT_PREEMPTIONS, OPT_CORES,    OPT_WALKS,
						 OPT_IDENTITY, OPT_MASK,   OPT_GRAPH,       OPT_ABSTRACT, OPT_PLOT,
						 OPT_KEEP,     OPT_OUTPUT, OPT_TRACE };
	for (size_t i = 0; i < sizeof chosen / sizeof *chosen; i++)
		if (o->value[chosen[i]] && o->value[chosen[i]] != option_rows[chosen[i]].usual)
			fail("swarm makes searches of several kinds, for which --%s has no one meaning; leave it out",
			     option_rows[chosen[i]].long_name);
	if (o->all || o->shortest)
		fail("swarm ends with the first violation, whichever it is; leave out --%s", o->all ? "all" : "shortest");
	if (o->ltl.count + o->properties.count || o->ltl_file || o->never)
		fail("swarm does not look for cycles, which formulas need; check them without it");
	if (o->sshlogin && o->engine != ENGINE_PARALLEL)
		fail("--sshlogin is for --engine parallel");
}

char *swarm_command_line(const struct swarm_search *search)
{
	return text_words(&search->argv);
}

/* ---- the plan ------------------------------------------------------------------------------------------------------ */

static void add_search(struct swarm *swarm, const struct list *words, const char *way, unsigned long seconds,
		       unsigned long megabytes)
{
	assert(swarm->directory);
	swarm->searches = realloc(swarm->searches, (swarm->count + 1) * sizeof *swarm->searches);
	if (!swarm->searches)
		BUG("out of memory");
	struct swarm_search *search = &swarm->searches[swarm->count++];
	*search = (struct swarm_search){ .way = text("%s", way), .number = swarm->count };
	search->output = text("%s/%zu", swarm->directory, swarm->count);
	char *self = realpath("/proc/self/exe", NULL);
	list_add(&search->argv, self ? self : "bitspin");
	list_add_words(&search->argv, "check --json -");
	list_add_words(&search->argv, way);
	list_addf(&search->argv, "--max-time=%lu", seconds);
	list_addf(&search->argv, "--max-memory=%lu", megabytes);
	for (size_t i = 0; i < words->count; i++)
		list_add(&search->argv, words->items[i]);
	free(self);
}

static unsigned long processors(void)
{
	cpu_set_t set;
	return sched_getaffinity(0, sizeof set, &set) == 0 ? (unsigned long)CPU_COUNT(&set) : 1;
}

/* Return what the user has given, malloc'ed.  What is chosen for the user is left out: it differs from start to start, as the
 * free memory does. */
static char *given(const struct options *o, const struct list *words)
{
	char *all = text_words(words), *memory = o->max_memory ? text("%lu MB", o->max_memory) : text("usual memory");
	char *jobs = o->jobs ? text("%lu jobs", o->jobs) : text("usual jobs");
	char *whole = text("%s; %lu seconds, %s, %s", all, o->max_time ? o->max_time : USUAL_SECONDS, memory, jobs);
	free(all);
	free(memory);
	free(jobs);
	return whole;
}

/* Plan the searches of `swarm`.  One takes all the time.  The others take a part of the time, one after the other.  As many run at
 * a time as the user wants, and they share the memory. */
static void make_plan(struct swarm *swarm, const struct list *words)
{
	assert(!swarm->searches && !swarm->given);
	const struct options *o = &swarm->job->inputs->options;
	unsigned long seconds = o->max_time ? o->max_time : USUAL_SECONDS;
	unsigned long megabytes = o->max_memory ? o->max_memory : image_usual_memory() >> 20;
	unsigned long rounds = seconds / LEAST_SECONDS < ROUNDS ? seconds / LEAST_SECONDS : ROUNDS;
	swarm->jobs = o->jobs ? o->jobs : processors();
	while (swarm->jobs > 1 && megabytes / swarm->jobs < LEAST_MEGABYTES)
		swarm->jobs--;
	megabytes /= swarm->jobs;
	bool alone = swarm->jobs == 1;
	unsigned long each = alone ? seconds / 3 : rounds ? seconds / rounds : seconds;
	unsigned long others = alone ? 2 : (swarm->jobs - 1) * (rounds ? rounds : 1);
	assert(swarm->jobs > 0 && (!alone || 2 * each <= seconds));
	add_search(swarm, words, "--preemptions iterate", alone ? seconds - 2 * each : seconds, megabytes);
	for (unsigned long i = 0; i < others; i++) {
		char *way = text("--search %s --seed %lu", i % 2 ? "bitstate" : "random", i / 2 + 1);
		add_search(swarm, words, way, each ? each : 1, megabytes);
		free(way);
	}
	swarm->given = given(o, words);
	assert(swarm->count == others + 1);
}

/* ---- reports ------------------------------------------------------------------------------------------------------- */

static const char *verdict_in(const json_t *report)
{
	const char *verdict = json_string_value(json_object_get(report, "verdict"));
	return verdict ? verdict : "error";
}

static bool is_verdict(const json_t *report, enum verdict verdict)
{
	return strcmp(verdict_in(report), verdict_name(verdict)) == 0;
}

static const char *message_in(const json_t *report)
{
	const char *message = json_string_value(json_object_get(report, "message"));
	return message ? message : "";
}

static void tell(const struct swarm *swarm, const struct swarm_search *search)
{
	assert(search->report);
	static bool advised; /* once is enough, and walks are a part of each swarm */
	const char *message = message_in(search->report);
	char *fitting = text_without(message, ADVICE_WALKS), *shown = text_without(fitting, advised ? ADVICE_MEMORY : "");
	if (!swarm->job->inputs->options.quiet && !report_takes_stdout(&swarm->job->inputs->options)) {
		printf("%lu of %zu: %s: %s%s%s\n", search->number, swarm->count, search->way, verdict_in(search->report),
		       *shown ? ": " : "", shown);
		fflush(stdout);
	}
	advised = advised || strstr(message, ADVICE_MEMORY);
	free(fitting);
	free(shown);
}

/* Read the reports that have come since the last look.  Return the search whose report settles the verdict, or NULL. */
static struct swarm_search *look(struct swarm *swarm)
{
	struct swarm_search *settles = NULL;
	bool news = false;
	for (size_t i = 0; i < swarm->count && !settles; i++) {
		struct swarm_search *search = &swarm->searches[i];
		bool known = search->report != NULL;
		search->report = known ? search->report : json_load_file(search->output, 0, NULL);
		if (!search->report)
			continue;
		if (!known)
			tell(swarm, search);
		news |= !known;
		if (is_verdict(search->report, VERDICT_VIOLATED) || is_verdict(search->report, VERDICT_VERIFIED))
			settles = search;
	}
	if (news && swarm->job->inputs->options.checkpoint)
		checkpoint_write(swarm, swarm->job->inputs->options.checkpoint);
	return settles;
}

static double number_in(const json_t *report, const char *name)
{
	return json_number_value(json_object_get(json_object_get(report, "statistics"), name));
}

static void take_assumptions(struct job *job, const json_t *report)
{
	const json_t *assumption;
	size_t i;
	list_release(&job->program.assumptions);
	json_array_foreach (json_object_get(report, "assumptions"), i, assumption)
		list_add(&job->program.assumptions, json_string_value(assumption));
}

static void take_report(struct job *job, const json_t *report)
{
	assert(is_verdict(report, VERDICT_VIOLATED) || is_verdict(report, VERDICT_VERIFIED));
	struct statistics *s = &job->result.statistics;
	json_array_extend(job->result.violations, json_object_get(report, "violations"));
	job->result.verdict = is_verdict(report, VERDICT_VIOLATED) ? VERDICT_VIOLATED : VERDICT_VERIFIED;
	take_assumptions(job, report);
	s->states = number_in(report, "states");
	s->transitions = number_in(report, "transitions");
	s->depth = number_in(report, "depth");
	s->bytes = number_in(report, "bytes");
	s->resident = number_in(report, "resident");
	s->search_seconds = number_in(report, "search_seconds");
	s->walks = number_in(report, "walks");
	s->steps = number_in(report, "steps");
	job->result.main_ends = true; /* what else there is to say, the search itself says */
}

static void add_figures(struct statistics *sum, const json_t *report)
{
	double walks = number_in(report, "walks");
	sum->summed = true;
	sum->states += number_in(report, "states");
	sum->transitions += walks > 0 ? 0 : number_in(report, "transitions");
	sum->walks += walks;
	sum->steps += number_in(report, "steps");
}

/* Return words for what all searches of `swarm` have covered, malloc'ed.  A search from bound to bound says up to which bound it
 * has come. */
static char *coverage(const struct swarm *swarm)
{
	static const char no_violation[] = "no violation with"; /* ... up to, or ...out */
	size_t ended = 0, bitstate = 0;
	char *bounds = text("%s", "");
	for (size_t i = 0; i < swarm->count; i++) {
		const json_t *report = swarm->searches[i].report;
		const char *bound = strstr(message_in(report), no_violation);
		if (!report || is_verdict(report, VERDICT_ERROR))
			continue;
		ended++;
		take_assumptions(swarm->job, report);
		add_figures(&swarm->job->result.statistics, report);
		bitstate += strstr(swarm->searches[i].way, "bitstate") != NULL;
		if (bound && !*bounds) {
			free(bounds);
			bound += strlen("no violation");
			bounds = text("%.*s (exhaustive),", (int)strcspn(bound, ";"), bound);
		}
	}
	char *reason = text("%zu search%s of %zu ended; no violation%s in %.0f random walks, in %zu bitstate search%s", ended,
			    ended == 1 ? "" : "es", swarm->count, bounds, swarm->job->result.statistics.walks, bitstate,
			    bitstate == 1 ? "" : "es");
	free(bounds);
	return reason;
}

/* Return how many searches have left no report, though nobody has stopped them.  Put the first complaint about one into *why, or
 * NULL. */
static size_t count_lost(const struct swarm *swarm, char **why)
{
	size_t lost = 0;
	*why = NULL;
	for (size_t i = 0; i < swarm->count && !process_interrupted(); i++) {
		const struct swarm_search *search = &swarm->searches[i];
		if (!search->report && lost++ == 0)
			*why = engine_complaint(swarm, search);
	}
	return lost;
}

static void tell_lost(const struct swarm *swarm)
{
	char *why;
	size_t lost = count_lost(swarm, &why);
	if (lost == swarm->count)
		fail("no search has left a report; %s", why);
	if (lost)
		fprintf(stderr, "bitspin: %zu search%s of %zu left no report; %s\n", lost, lost == 1 ? "" : "es", swarm->count,
			why);
	free(why);
}

/* Fail with the first error if no search has come to more than an error: the program or the options are wrong then. */
static void check_errors(const struct swarm *swarm)
{
	const char *error = NULL;
	for (size_t i = 0; i < swarm->count; i++) {
		const json_t *report = swarm->searches[i].report;
		if (report && !is_verdict(report, VERDICT_ERROR))
			return;
		error = report && !error ? message_in(report) : error;
	}
	if (!process_interrupted() && error)
		fail("%s", error);
}

static void conclude(struct swarm *swarm, const struct swarm_search *settles)
{
	struct job *job = swarm->job;
	if (settles) {
		assert(settles->report);
		char *line = swarm_command_line(settles);
		take_report(job, settles->report);
		if (!job->inputs->options.quiet && !report_takes_stdout(&job->inputs->options))
			printf("found by: %s\n", line);
		free(line);
		return;
	}
	check_errors(swarm);
	tell_lost(swarm);
	char *covered = coverage(swarm);
	job->result.verdict = VERDICT_INCONCLUSIVE;
	job->result.reason = text("%s%s", process_interrupted() ? "interrupted; " : "", covered);
	free(covered);
}

/* ---- the command --------------------------------------------------------------------------------------------------- */

/* Say what is about to run, as the first search to end may take minutes. */
static void tell_plan(const struct swarm *swarm)
{
	unsigned long seconds = swarm->job->inputs->options.max_time ? swarm->job->inputs->options.max_time : USUAL_SECONDS;
	size_t left = 0;
	for (size_t i = 0; i < swarm->count; i++)
		left += !swarm->searches[i].report;
	fprintf(stderr, "%zu search%s, %lu at a time, for up to %lu seconds each; one that finds something ends all\n", left,
		left == 1 ? "" : "es", swarm->jobs, seconds);
}

static void run(struct swarm *swarm)
{
	struct swarm_search *settles = look(swarm);
	if (!settles && !swarm->job->inputs->options.quiet && swarm->engine != ENGINE_SLURM)
		tell_plan(swarm);
	if (!settles)
		engine_start(swarm);
	while (!settles && engine_runs(swarm)) {
		nanosleep(&(struct timespec){ .tv_nsec = 100000000 }, NULL);
		settles = look(swarm);
	}
	if (swarm->children)
		engine_stop(swarm);
	settles = settles ? settles : look(swarm);
	conclude(swarm, settles);
}

static void release(struct swarm *swarm)
{
	for (size_t i = 0; i < swarm->count; i++) {
		struct swarm_search *search = &swarm->searches[i];
		list_release(&search->argv);
		free(search->way);
		free(search->output);
		json_decref(search->report);
	}
	free(swarm->searches);
	free(swarm->children);
	free(swarm->directory);
	free(swarm->here);
	free(swarm->child_errors);
	free(swarm->complaint);
	free(swarm->given);
}

static char *shared; /* the directory of reports that is not in the work directory; NULL: there is none */

static void remove_shared(void)
{
	if (shared)
		remove_tree(shared);
	free(shared);
	shared = NULL;
}

/* Make the directory in which the searches meet: machines of a cluster share the current one, if any. */
static char *make_directory(const struct job *job, enum engine engine)
{
	assert(!shared);
	if (engine != ENGINE_SLURM) {
		char *directory = text("%s/swarm", job->program.work);
		make_directories(directory);
		return directory;
	}
	char *own = absolute_path(".bitspin-swarm.XXXXXX"); /* new, as it is removed */
	if (!mkdtemp(own))
		fail("cannot make the directory '%s': %s", own, strerror(errno));
	shared = text("%s", own);
	atexit(remove_shared); /* also after an error */
	return own;
}

int command_swarm(int argc, char **argv)
{
	struct job job;
	struct list words = { 0 };
	double start = seconds_now();
	command_begin(&job, 'W', argc, argv);
	const struct options *o = &job.inputs->options;
	refuse(o);
	take_words(argc, argv, &words);
	char *here = absolute_path(".");
	struct swarm swarm = { .job = &job, .engine = (enum engine)o->engine, .sshlogin = o->sshlogin, .here = text_quoted(here) };
	swarm.directory = make_directory(&job, swarm.engine);
	make_plan(&swarm, &words);
	if (o->checkpoint)
		checkpoint_read(&swarm, o->checkpoint);
	run(&swarm);
	job.result.statistics.seconds = seconds_now() - start;
	report_write(&job);
	if (!report_takes_stdout(&job.inputs->options))
		report_print(&job);
	remove_shared();
	int status = verdict_status(job.result.verdict);
	release(&swarm);
	list_release(&words);
	free(here);
	command_end(&job);
	return status;
}
