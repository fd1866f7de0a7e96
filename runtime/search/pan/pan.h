/* SPDX-License-Identifier: MIT
 *
 * pan's names, which only this folder knows (tests/rooms.sh), and pan as the driver of the VM (state/driver.h).
 */
#ifndef BITSPIN_PAN_H
#define BITSPIN_PAN_H

#include "../../state/driver.h"
#include "../../state/table.h"

extern int readtrail, fairness;         /* options -r and -f, known when pan's main has read them */
extern long maxdepth;                   /* option -m: most steps of a path */
extern char *TrailFile;                 /* what its trails are called */
extern long depth;                      /* of the state that it is in, on its path */
extern double nstates, nShadow, truncs; /* its figures, of which it prints eight digits */
extern unsigned char warned;            /* it has cut a path that is too long */
extern void (*uerror)(char *message);   /* report an error, write a trail */
_Noreturn void stopped(int signal);     /* print the figures and exit */
_Noreturn void wrapup(void);            /* the same, without saying that it was interrupted */

/* Tell the VM of pan's options, when pan asks for the first time: the VM is opened before pan reads them. */
void vm_pan_heed_options(void);

/* Note that pan looks at a state: where several processes search, count the state, and tell of the violation that it stands for, if
 * that has not been told. */
void vm_pan_looks_at(vm_ref state);

#endif
