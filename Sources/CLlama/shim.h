// llama.cpp's own headers, as Fovea uses them. Nothing is declared here.
#include <ggml-backend.h>
#include <gguf.h>
#include <llama.h>
#include <mtmd.h>
#include <mtmd-helper.h>
