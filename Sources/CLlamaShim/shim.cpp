#include "fovea_llama_shim.h"

// Only beside a llama.cpp that was built from the pinned source: see add_breakdown_header in
// scripts/setup.
#if __has_include(<llama-ext.h>)
#include <llama-ext.h>
#define FOVEA_HAS_BREAKDOWN 1
#endif

#include <ggml-backend.h>
#include <ggml-cpu.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstring>
#include <cstdlib>
#include <exception>
#include <mutex>
#include <new>
#include <shared_mutex>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace {

// When the process ends, C++ destroys ggml's static objects, even while another thread computes
// with them: a crash on the way out. So every call holds the gate, and the end of the process closes
// it: it waits for the calls that run, which are told to stop, and whoever comes later waits for ever.
// Both are never destroyed themselves.
std::shared_mutex & gate = *new std::shared_mutex;
std::atomic<bool> & is_exiting = *new std::atomic<bool>{false};

void close_gate() {
  is_exiting.store(true);
  gate.lock();
}

// Called once ggml's static objects exist: the last handler that is registered runs first.
void close_gate_at_exit() {
  static std::once_flag once;
  std::call_once(once, [] { std::atexit(close_gate); });
}

// How many guarded calls this thread is in.
thread_local int guarded_calls = 0;

struct guarded_call {
  guarded_call() { ++guarded_calls; }
  ~guarded_call() { --guarded_calls; }
};

// ggml ends the process when an assertion fails, which a damaged file is enough for. Inside a guarded call the
// failure becomes an exception instead. Elsewhere, as on ggml's own threads, nobody could catch it.
void throw_assertion(const char * text) {
  if (guarded_calls == 0) {
    std::fprintf(stderr, "%s\n", text);
    return;  // ggml aborts
  }
  const char * name = std::strrchr(text, '/');
  throw std::runtime_error(name == nullptr ? text : name + 1);
}

// Runs `call`; an exception becomes `failure` and its text goes into `message`.
template <typename Call, typename Result>
Result guarded(Result failure, char * message, size_t capacity, Call call) {
  const std::shared_lock<std::shared_mutex> open(gate);
  const guarded_call inside;
  if (capacity > 0) message[0] = '\0';
  try {
    return call();
  } catch (const std::exception & error) {
    if (capacity > 0) std::snprintf(message, capacity, "%s", error.what());
  } catch (...) {
    if (capacity > 0) std::snprintf(message, capacity, "unknown C++ exception");
  }
  return failure;
}

thread_local std::string first_error;

void keep_first_error(ggml_log_level level, const char * text) {
  if (level != GGML_LOG_LEVEL_ERROR || !first_error.empty()) return;
  first_error.assign(text, std::strcspn(text, "\n"));
}

#ifdef FOVEA_HAS_BREAKDOWN

void copy_name(char (&room)[64], const char * name) { std::snprintf(room, sizeof room, "%s", name ? name : ""); }

bool computes_in_host_memory(ggml_backend_dev_t device) {
  const auto type = ggml_backend_dev_type(device);
  return type == GGML_BACKEND_DEVICE_TYPE_CPU || type == GGML_BACKEND_DEVICE_TYPE_ACCEL;
}

fovea_buffer_use row_of(ggml_backend_buffer_type_t type, const llama_memory_breakdown_data & data) {
  fovea_buffer_use row = {};
  copy_name(row.name, ggml_backend_buft_name(type));
  ggml_backend_dev_t device = ggml_backend_buft_get_device(type);
  // Weights that the CPU wants in another order are in buffers that are not the host's, but in its memory.
  if (device != nullptr && !ggml_backend_buft_is_host(type) && !computes_in_host_memory(device)) {
    copy_name(row.device, ggml_backend_dev_name(device));
  }
  // ggml's plain CPU buffers name no device.
  if (device == nullptr) device = ggml_backend_dev_by_type(GGML_BACKEND_DEVICE_TYPE_CPU);
  if (device != nullptr) {
    ggml_backend_dev_props properties;
    ggml_backend_dev_get_props(device, &properties);
    row.can_be_mapped = properties.caps.buffer_from_host_ptr && type == ggml_backend_dev_buffer_type(device);
  }
  row.weights = data.model;
  row.context = data.context;
  row.compute = data.compute;
  return row;
}

// mtmd silences its process-wide log while it measures, and puts back what it found.
std::mutex & projector_measuring = *new std::mutex;

#endif

// llama.cpp logs parts of lines; a part that goes on has a level that says so.
std::atomic<fovea_log_handler> log_handler{nullptr};
thread_local std::string log_line;
thread_local ggml_log_level log_level = GGML_LOG_LEVEL_NONE;

void hand_on(ggml_log_level level, const char * text) {
  const fovea_log_handler handler = log_handler.load();
  if (handler == nullptr) return;
  if (level != GGML_LOG_LEVEL_CONT) log_level = level;
  for (; *text != '\0'; ++text) {
    if (*text != '\n') { log_line += *text; continue; }
    // Taken out first: the handler may make llama.cpp log again.
    const std::string line = std::move(log_line);
    log_line.clear();
    if (!line.empty()) handler(int32_t(log_level), line.c_str());
  }
}

void receive_log(ggml_log_level level, const char * text, void *) {
  if (text == nullptr) return;
  keep_first_error(level, text);
  hand_on(level, text);
}

// A function of ggml's CPU part, which may be a library that is loaded at run time.
template <typename Function>
Function * cpu_function(const char * name) {
  ggml_backend_dev_t device = ggml_backend_dev_by_type(GGML_BACKEND_DEVICE_TYPE_CPU);
  if (device == nullptr) return nullptr;
  return reinterpret_cast<Function *>(
      ggml_backend_reg_get_proc_address(ggml_backend_dev_backend_reg(device), name));
}

}  // namespace

struct fovea_flag {
  std::atomic<bool> value{false};
};

// Only changed between calls, and ggml asks on the calling thread: no lock.
struct fovea_work {
  std::vector<const fovea_flag *> flags;
};

extern "C" {

gguf_context * fovea_metadata_load(
    const char * path, gguf_init_params params, char * message, size_t capacity) {
  return guarded<>(static_cast<gguf_context *>(nullptr), message, capacity,
                   [&] { return gguf_init_from_file(path, params); });
}

llama_model * fovea_model_load(
    const char * path, llama_model_params params, char * message, size_t capacity) {
  return guarded<>(static_cast<llama_model *>(nullptr), message, capacity,
                   [&] { return llama_model_load_from_file(path, params); });
}

llama_context * fovea_context_init(
    llama_model * model, llama_context_params params, char * message, size_t capacity) {
  return guarded<>(static_cast<llama_context *>(nullptr), message, capacity,
                   [&] {
                     llama_context * context = llama_init_from_model(model, params);
                     close_gate_at_exit();
                     return context;
                   });
}

size_t fovea_state_restore(
    llama_context * ctx, const uint8_t * bytes, size_t count, llama_seq_id sequence, char * message,
    size_t capacity) {
  return guarded<>(size_t(0), message, capacity,
                   [&] { return llama_state_seq_set_data(ctx, bytes, count, sequence); });
}

ggml_threadpool * fovea_threads_attach(llama_context * context, int32_t count) {
  const std::shared_lock<std::shared_mutex> open(gate);
  const auto make = cpu_function<decltype(ggml_threadpool_new)>("ggml_threadpool_new");
  if (count < 2 || make == nullptr) return nullptr;
  ggml_threadpool_params params = ggml_threadpool_params_default(count);
  ggml_threadpool * threads = make(&params);
  if (threads != nullptr) llama_attach_threadpool(context, threads, nullptr);
  return threads;
}

void fovea_threads_free(ggml_threadpool * threads) {
  const std::shared_lock<std::shared_mutex> open(gate);
  if (threads != nullptr) cpu_function<decltype(ggml_threadpool_free)>("ggml_threadpool_free")(threads);
}

mtmd_context * fovea_projector_load(
    const char * path, const llama_model * model, mtmd_context_params params, char * message,
    size_t capacity) {
  return guarded<>(static_cast<mtmd_context *>(nullptr), message, capacity,
                   [&] { return mtmd_init_from_file(path, model, params); });
}

int32_t fovea_tokenize_parts(
    const mtmd_context * ctx, mtmd_input_chunks * output, const mtmd_input_part * const * parts,
    size_t n_parts, bool add_special, char * message, size_t capacity) {
  return guarded<>(int32_t(FOVEA_EXCEPTION), message, capacity, [&] {
    return mtmd_tokenize_from_parts(ctx, output, parts, n_parts, add_special);
  });
}

int32_t fovea_encode_chunk(
    mtmd_context * ctx, const mtmd_input_chunk * chunk, char * message, size_t capacity) {
  return guarded<>(int32_t(FOVEA_EXCEPTION), message, capacity,
                   [&] { return mtmd_encode_chunk(ctx, chunk); });
}

int32_t fovea_decode_image(
    mtmd_context * ctx, llama_context * lctx, const mtmd_input_chunk * chunk, float * embeddings,
    llama_pos n_past, llama_seq_id seq_id, int32_t n_batch, llama_pos * new_n_past, char * message,
    size_t capacity) {
  return guarded<>(int32_t(FOVEA_EXCEPTION), message, capacity, [&] {
    return mtmd_helper_decode_image_chunk(
        ctx, lctx, chunk, embeddings, n_past, seq_id, n_batch, new_n_past, nullptr, nullptr);
  });
}

int32_t fovea_decode(llama_context * ctx, llama_batch batch, char * message, size_t capacity) {
  return guarded<>(int32_t(FOVEA_EXCEPTION), message, capacity,
                   [&] { return llama_decode(ctx, batch); });
}

llama_token fovea_sample(
    llama_sampler * chain, llama_token_data_array * candidates, char * message, size_t capacity) {
  return guarded<>(llama_token(FOVEA_EXCEPTION), message, capacity, [&]() -> llama_token {
    llama_sampler_apply(chain, candidates);
    if (candidates->selected < 0 || size_t(candidates->selected) >= candidates->size) return -1;
    const llama_token token = candidates->data[candidates->selected].id;
    llama_sampler_accept(chain, token);
    return token;
  });
}

#ifdef FOVEA_HAS_BREAKDOWN

int32_t fovea_context_memory(
    const llama_context * context, fovea_buffer_use * rows, size_t capacity, char * message,
    size_t message_capacity) {
  return guarded<>(int32_t(FOVEA_EXCEPTION), message, message_capacity, [&] {
    int32_t count = 0;
    for (const auto & [type, data] : llama_get_memory_breakdown(context)) {
      if (size_t(count) < capacity) rows[count++] = row_of(type, data);
    }
    return count;
  });
}

int32_t fovea_projector_memory(
    const char * path, mtmd_context_params params, fovea_buffer_use * rows, size_t capacity,
    char * message, size_t message_capacity) {
  return guarded<>(int32_t(FOVEA_EXCEPTION), message, message_capacity, [&] {
    const std::lock_guard<std::mutex> alone(projector_measuring);
    int32_t count = 0;
    for (const auto & [device, size] : mtmd_get_memory_usage(path, params)) {
      if (size_t(count) == capacity) break;
      fovea_buffer_use row = {};
      copy_name(row.name, ggml_backend_dev_name(device));
      if (!computes_in_host_memory(device)) copy_name(row.device, row.name);
      row.weights = size;
      rows[count++] = row;
    }
    return count;
  });
}

#else

int32_t fovea_context_memory(const llama_context *, fovea_buffer_use *, size_t, char *, size_t) { return -1; }

int32_t fovea_projector_memory(const char *, mtmd_context_params, fovea_buffer_use *, size_t, char *, size_t) {
  return -1;
}

#endif

int32_t fovea_throw(const char * text, char * message, size_t capacity) {
  return guarded<>(int32_t(FOVEA_EXCEPTION), message, capacity,
                   [&]() -> int32_t { throw std::runtime_error(text); });
}

void fovea_model_free(llama_model * model) {
  const std::shared_lock<std::shared_mutex> open(gate);
  llama_model_free(model);
}

void fovea_context_free(llama_context * context) {
  const std::shared_lock<std::shared_mutex> open(gate);
  llama_free(context);
}

void fovea_projector_free(mtmd_context * projector) {
  const std::shared_lock<std::shared_mutex> open(gate);
  mtmd_free(projector);
}

void fovea_log_install(void) {
  llama_log_set(receive_log, nullptr);
  mtmd_helper_log_set(receive_log, nullptr);
  ggml_set_abort_callback(throw_assertion);
}

void fovea_log_set_handler(fovea_log_handler handler) { log_handler.store(handler); }

void fovea_log_clear(void) { first_error.clear(); }

const char * fovea_log_first_error(void) { return first_error.c_str(); }

fovea_flag * fovea_flag_create(void) { return new (std::nothrow) fovea_flag; }

void fovea_flag_free(fovea_flag * flag) { delete flag; }

void fovea_flag_set(fovea_flag * flag) { flag->value.store(true, std::memory_order_relaxed); }

bool fovea_flag_is_set(const fovea_flag * flag) {
  return is_exiting.load(std::memory_order_relaxed) || flag->value.load(std::memory_order_relaxed);
}

fovea_work * fovea_work_create(void) { return new (std::nothrow) fovea_work; }

void fovea_work_free(fovea_work * work) { delete work; }

void fovea_work_set(fovea_work * work, fovea_flag * const * flags, size_t count) {
  work->flags.assign(flags, flags + count);
}

bool fovea_work_is_unwanted(void * work) {
  const auto & flags = static_cast<fovea_work *>(work)->flags;
  if (flags.empty()) return is_exiting.load(std::memory_order_relaxed);
  return std::all_of(flags.begin(), flags.end(), fovea_flag_is_set);
}

bool fovea_evaluation_goes_on(ggml_tensor *, bool ask, void * work) {
  // Each look cuts the graph in two, so not every operation is worth one.
  constexpr unsigned operations_between_looks = 64;
  thread_local unsigned operations = 0;
  if (ask) return ++operations % operations_between_looks == 0;
  return !fovea_work_is_unwanted(work);
}

}  // extern "C"
