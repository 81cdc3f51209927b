#include "fovea_llama_shim.h"

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

}  // namespace

struct fovea_flag {
  std::atomic<bool> value{false};
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

int32_t fovea_eval_chunk(
    mtmd_context * ctx, llama_context * lctx, const mtmd_input_chunk * chunk, llama_pos n_past,
    llama_seq_id seq_id, int32_t n_batch, bool logits_last, llama_pos * new_n_past, char * message,
    size_t capacity) {
  return guarded<>(int32_t(FOVEA_EXCEPTION), message, capacity, [&] {
    if (mtmd_input_chunk_get_type(chunk) == MTMD_INPUT_CHUNK_TYPE_TEXT) {
      return mtmd_helper_eval_chunk_single(
          ctx, lctx, chunk, n_past, seq_id, n_batch, logits_last, new_n_past);
    }
    // The same in two steps: where the first one fails its code is 1, which from the second one means
    // that the context has no room.
    if (mtmd_encode_chunk(ctx, chunk) != 0) return int32_t(FOVEA_NOT_ENCODED);
    return mtmd_helper_decode_image_chunk(
        ctx, lctx, chunk, mtmd_get_output_embd(ctx), n_past, seq_id, n_batch, new_n_past, nullptr,
        nullptr);
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

void fovea_flag_set(fovea_flag * flag, bool value) {
  flag->value.store(value, std::memory_order_relaxed);
}

bool fovea_flag_is_set(void * flag) {
  return is_exiting.load(std::memory_order_relaxed) || static_cast<fovea_flag *>(flag)->value.load(std::memory_order_relaxed);
}

}  // extern "C"
