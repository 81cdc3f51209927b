#pragma once

#include <stdbool.h>
#include <stdint.h>

/// How many blocks this thread has asked of malloc and its relatives so far. Swift's own
/// allocations come through malloc, so they are in it.
uint64_t fovea_allocation_count(void);

/// Whether they are counted at all: only where the program can stand in front of the C library's
/// functions, which glibc offers.
bool fovea_counts_allocations(void);

/// Bytes in blocks of malloc that are not freed, large ones included; 0 without glibc.
uint64_t fovea_heap_bytes(void);
