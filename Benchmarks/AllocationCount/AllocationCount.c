#define _GNU_SOURCE
#include "AllocationCount.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

// A program's own definition of malloc goes before the C library's, for every library it loads.
// glibc keeps its own under a second name. It has none for posix_memalign and aligned_alloc, which
// Swift uses for large alignments; both are written with memalign here, as glibc does.
#if defined(__GLIBC__)

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

// The initial-exec model is read without a call; the general one may itself allocate.
static _Thread_local uint64_t count __attribute__((tls_model("initial-exec")));

void *malloc(size_t size) {
  count++;
  return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
  count++;
  return __libc_calloc(number, size);
}

// Growing in place is counted too: whether a block can grow depends on its neighbours, and a
// count must be the same in every run.
void *realloc(void *block, size_t size) {
  count++;
  return __libc_realloc(block, size);
}

void *memalign(size_t alignment, size_t size) {
  count++;
  return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
  count++;
  return __libc_memalign(alignment, size);
}

int posix_memalign(void **block, size_t alignment, size_t size) {
  if (alignment % sizeof(void *) != 0 || (alignment & (alignment - 1)) != 0 || alignment == 0)
    return EINVAL;
  count++;
  void *made = __libc_memalign(alignment, size);
  if (made == NULL) return ENOMEM;
  *block = made;
  return 0;
}

uint64_t fovea_allocation_count(void) { return count; }
bool fovea_counts_allocations(void) { return true; }

uint64_t fovea_heap_bytes(void) {
  struct mallinfo2 heap = mallinfo2();
  return heap.uordblks + heap.hblkhd;
}

#else

uint64_t fovea_allocation_count(void) { return 0; }
bool fovea_counts_allocations(void) { return false; }
uint64_t fovea_heap_bytes(void) { return 0; }

#endif
