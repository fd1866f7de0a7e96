/* SPDX-License-Identifier: MIT */
#define _LGPL_SOURCE
#include <urcu/lfstack.h>
#include <urcu/wfstack.h>
static struct cds_lfs_stack lfs;
static struct cds_wfs_stack wfs;
static struct cds_lfs_node nodes[4];
static struct cds_wfs_node wait_free[4];
void start(void)
{
	cds_lfs_init(&lfs);
	cds_wfs_init(&wfs);
}
bool push(int n) { return cds_lfs_push(&lfs, &nodes[n]); }
int pop(void)
{
	struct cds_lfs_node *node = cds_lfs_pop_blocking(&lfs);
	return node ? (int)(node - nodes) : -1;
}
int pop_alone(void)
{
	struct cds_lfs_node *node = __cds_lfs_pop(&lfs);
	return node ? (int)(node - nodes) : -1;
}
bool wfs_push(int n) { cds_wfs_node_init(&wait_free[n]); return cds_wfs_push(&wfs, &wait_free[n]); }
int wfs_pop(void)
{
	struct cds_wfs_node *node = cds_wfs_pop_blocking(&wfs);
	return node ? (int)(node - wait_free) : -1;
}
