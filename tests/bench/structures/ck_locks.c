/* SPDX-License-Identifier: MIT */
#include <ck_rwlock.h>
#include <ck_spinlock.h>
static ck_rwlock_t lock = CK_RWLOCK_INITIALIZER;
static ck_spinlock_ticket_t ticket = CK_SPINLOCK_TICKET_INITIALIZER;
static ck_spinlock_fas_t fas = CK_SPINLOCK_FAS_INITIALIZER;
void write_lock(void) { ck_rwlock_write_lock(&lock); }
void write_unlock(void) { ck_rwlock_write_unlock(&lock); }
bool write_try(void) { return ck_rwlock_write_trylock(&lock); }
void read_lock(void) { ck_rwlock_read_lock(&lock); }
void read_unlock(void) { ck_rwlock_read_unlock(&lock); }
bool read_try(void) { return ck_rwlock_read_trylock(&lock); }
void ticket_lock(void) { ck_spinlock_ticket_lock(&ticket); }
void ticket_unlock(void) { ck_spinlock_ticket_unlock(&ticket); }
bool ticket_try(void) { return ck_spinlock_ticket_trylock(&ticket); }
void fas_lock(void) { ck_spinlock_fas_lock(&fas); }
void fas_unlock(void) { ck_spinlock_fas_unlock(&fas); }
bool fas_try(void) { return ck_spinlock_fas_trylock(&fas); }
