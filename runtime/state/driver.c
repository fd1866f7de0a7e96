/* SPDX-License-Identifier: MIT
 *
 * See driver.h.
 */
#include "driver.h"

#include "own.h"

VM_SHARED struct vm_driver vm_driver;
