// llama.cpp is C++ behind a C interface and some of its functions throw: unwinding through Swift
// frames would end the process. A failed assertion of ggml would too, and is made an exception. Each
// function here is the one it is named after, called inside a try block. On an exception `message` (of
// `capacity` bytes) gets its text and the call fails with NULL or FOVEA_EXCEPTION; `message[0]` is 0
// where nothing was thrown.
#ifndef FOVEA_LLAMA_SHIM_H
#define FOVEA_LLAMA_SHIM_H

#include <gguf.h>
#include <llama.h>
#include <mtmd.h>
#include <mtmd-helper.h>
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

// Outside the range of every return code of llama.cpp and mtmd.
#define FOVEA_EXCEPTION (-10000)

struct gguf_context * fovea_metadata_load(
    const char * path, struct gguf_init_params params, char * message, size_t capacity);

struct llama_model * fovea_model_load(
    const char * path, struct llama_model_params params, char * message, size_t capacity);

struct llama_context * fovea_context_init(
    struct llama_model * model, struct llama_context_params params, char * message, size_t capacity);

// Gives a context threads that stay between evaluations, where there are more than one; NULL: it has
// none, and ggml starts threads for each evaluation. Free them after the context.
struct ggml_threadpool * fovea_threads_attach(struct llama_context * context, int32_t count);
void fovea_threads_free(struct ggml_threadpool * threads);

mtmd_context * fovea_projector_load(
    const char * path, const struct llama_model * model, struct mtmd_context_params params,
    char * message, size_t capacity);

int32_t fovea_tokenize_parts(
    const mtmd_context * ctx, mtmd_input_chunks * output, const mtmd_input_part * const * parts,
    size_t n_parts, bool add_special, char * message, size_t capacity);

// mtmd_encode_chunk: turns an image chunk into embeddings, which mtmd_get_output_embd then gives.
int32_t fovea_encode_chunk(
    mtmd_context * ctx, const mtmd_input_chunk * chunk, char * message, size_t capacity);

// mtmd_helper_decode_image_chunk: evaluates embeddings of an image chunk that are there already.
int32_t fovea_decode_image(
    mtmd_context * ctx, struct llama_context * lctx, const mtmd_input_chunk * chunk, float * embeddings,
    llama_pos n_past, llama_seq_id seq_id, int32_t n_batch, llama_pos * new_n_past, char * message,
    size_t capacity);

int32_t fovea_decode(
    struct llama_context * ctx, struct llama_batch batch, char * message, size_t capacity);

// llama_state_seq_set_data: puts back what llama_state_seq_get_data gave, for bytes that come from a
// file. Returns how many were read; 0: they were refused.
size_t fovea_state_restore(
    struct llama_context * ctx, const uint8_t * bytes, size_t count, llama_seq_id sequence, char * message,
    size_t capacity);

// Applies the chain to the candidates and accepts the token that it selected.
// Returns the token, or FOVEA_EXCEPTION, or -1 when the chain selected none.
llama_token fovea_sample(
    struct llama_sampler * chain, llama_token_data_array * candidates, char * message, size_t capacity);

// What one kind of buffer holds, in bytes.
typedef struct fovea_buffer_use {
  char name[64];     // of the buffer type, for example "CPU"
  char device[64];   // of the device that it belongs to; "" for the host
  bool can_be_mapped; // whether weights in it may be the mapped file itself
  size_t weights, context, compute;
} fovea_buffer_use;

// What a context and its model hold, also where they were only simulated (no_alloc). Returns how many
// rows were written, -1 where this build of llama.cpp cannot tell, or FOVEA_EXCEPTION.
int32_t fovea_context_memory(
    const struct llama_context * context, fovea_buffer_use * rows, size_t capacity, char * message,
    size_t message_capacity);

// What a projector would hold with the largest picture it was made for; weights and working memory
// are both in `weights`. Returns as above; 0 rows where mtmd cannot tell.
int32_t fovea_projector_memory(
    const char * path, struct mtmd_context_params params, fovea_buffer_use * rows, size_t capacity,
    char * message, size_t message_capacity);

// Throws `text` as a C++ exception inside the guard: tests check what becomes of it.
int32_t fovea_throw(const char * text, char * message, size_t capacity);

// Frees that wait where the process is ending: see the gate in shim.cpp.
void fovea_model_free(struct llama_model * model);
void fovea_context_free(struct llama_context * context);
void fovea_projector_free(mtmd_context * projector);

// Silences llama.cpp and mtmd, which write to stderr, and keeps the first error line of each thread:
// loading returns nothing but NULL, and the first error is the cause. Call once.
void fovea_log_install(void);

// Gets every line that llama.cpp and mtmd log, without the line end; called on any thread, also on
// several at once. `level` is a ggml_log_level. NULL: nobody gets them.
typedef void (*fovea_log_handler)(int32_t level, const char * line);
void fovea_log_set_handler(fovea_log_handler handler);

// Forgets this thread's error line.
void fovea_log_clear(void);

// This thread's first error line since the last clear, without the line end; "" if none.
const char * fovea_log_first_error(void);

// A flag that one thread sets while another computes. Swift has no atomic that reaches back to the
// systems Fovea supports and that C can read.
typedef struct fovea_flag fovea_flag;

fovea_flag * fovea_flag_create(void);
void fovea_flag_free(fovea_flag * flag);
void fovea_flag_set(fovea_flag * flag);

// Whether it is set, or the process is ending.
bool fovea_flag_is_set(const fovea_flag * flag);

// Whose work native calls do. One call may serve several requests, each with a flag that says that
// nobody wants its result: it stops once all of them are set.
typedef struct fovea_work fovea_work;

fovea_work * fovea_work_create(void);
void fovea_work_free(fovea_work * work);

// Says whose work the calls that follow are; none: nobody's, and they are not stopped. Not during a
// call. The flags must live until the next time.
void fovea_work_set(fovea_work * work, fovea_flag * const * flags, size_t count);

// A ggml_abort_callback: `work` is a fovea_work. Also true while the process ends.
bool fovea_work_is_unwanted(void * work);

// A ggml_backend_sched_eval_callback: `work` is a fovea_work. Looks at it every few operations, and ends
// the evaluation once it is unwanted: what was evaluated then is no result.
bool fovea_evaluation_goes_on(struct ggml_tensor * tensor, bool ask, void * work);

#ifdef __cplusplus
}
#endif

#endif
