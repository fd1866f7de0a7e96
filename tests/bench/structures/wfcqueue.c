/* SPDX-License-Identifier: MIT */
#define _LGPL_SOURCE
#include <stdlib.h>
#include <urcu/wfcqueue.h>
static struct cds_wfcq_head head;
static struct cds_wfcq_tail tail;
static struct cds_wfcq_node nodes[4];
void start(void)
{
	cds_wfcq_init(&head, &tail);
}
bool put(int n) /* were there others? */
{
	cds_wfcq_node_init(&nodes[n]);
	return cds_wfcq_enqueue(&head, &tail, &nodes[n]);
}
int get(void)
{
	struct cds_wfcq_node *node = cds_wfcq_dequeue_blocking(&head, &tail);
	return node ? (int)(node - nodes) : -1;
}
bool is_empty(void)
{
	return cds_wfcq_empty(&head, &tail);
}
