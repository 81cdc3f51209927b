// Fills new memory with bits that read as "not a number" in every float format, so that a library
// which computes with memory that it never wrote to shows it. Preloaded: see scripts/check-memory.
// Only for glibc, whose own allocator is called beneath.
#include <errno.h>
#include <stddef.h>
#include <string.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

// Smaller pieces hold no tensors; large ones take most of the time.
enum { LEAST = 1024 };

static void *filled(void *memory, size_t size) {
  if (memory && size >= LEAST) memset(memory, 0xFF, size);
  return memory;
}

void *malloc(size_t size) { return filled(__libc_malloc(size), size); }

void *aligned_alloc(size_t alignment, size_t size) {
  return filled(__libc_memalign(alignment, size), size);
}

int posix_memalign(void **result, size_t alignment, size_t size) {
  void *memory = filled(__libc_memalign(alignment, size), size);
  if (!memory) return ENOMEM;
  *result = memory;
  return 0;
}
