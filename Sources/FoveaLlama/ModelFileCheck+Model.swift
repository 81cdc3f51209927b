internal import Fovea

extension ModelFileCheck {
  /// Counts of a model that llama.cpp divides by or makes room for. Behind the architecture's name.
  private static let modelCounts: [(key: String, range: ClosedRange<Int>)] = [
    ("block_count", 1...512),
    ("embedding_length", 1...1 << 20),
    ("feed_forward_length", 0...1 << 24),
    ("expert_count", 0...1 << 16),
    ("expert_used_count", 0...1 << 16),
    ("experts_per_group", 1...1 << 16),
    ("interleave_moe_layer_step", 1...1 << 16),
    ("full_attention_interval", 1...1 << 16),
    ("attention.head_count", 0...1 << 16),
    ("attention.head_count_kv", 0...1 << 16),
    ("attention.key_length", 1...1 << 16),
    ("attention.value_length", 1...1 << 16),
    ("attention.sliding_window", 0...Int(Int32.max)),
    ("shortconv.l_cache", 2...1 << 16),
    ("ssm.conv_kernel", 1...1 << 16),
    ("ssm.inner_size", 1...1 << 20),
    ("ssm.state_size", 1...1 << 16),
    ("ssm.time_step_rank", 1...1 << 16),
    ("wkv.head_size", 1...1 << 16),
  ]

  static func checkModel(
    _ metadata: borrowing MetadataHandle, architecture: String, _ file: CheckedFile
  ) throws(FoveaError) {
    guard !architecture.isEmpty else {
      throw FoveaError(
        .invalidModel, "'\(file.path)' does not name its architecture",
        fix: "fetch the file again")
    }
    for count in modelCounts {
      try file.check(metadata, "\(architecture).\(count.key)", in: count.range)
    }
    for norm in ["layer_norm_epsilon", "layer_norm_rms_epsilon", "group_norm_epsilon"] {
      try file.checkEpsilon(metadata, "\(architecture).attention.\(norm)")
    }
    try checkExperts(metadata, architecture, file)
    try checkRotation(metadata, architecture, file)
    try checkGroups(metadata, architecture, file)
    // A model of embeddings alone; llama.cpp ends the process when it is asked for tokens.
    if ["none", "no_vocab"].contains(metadata.string("tokenizer.ggml.model")) {
      throw FoveaError(
        .invalidModel, "'\(file.path)' has no vocabulary", fix: "use a model that writes text")
    }
  }

  private static func checkExperts(
    _ metadata: borrowing MetadataHandle, _ architecture: String, _ file: CheckedFile
  ) throws(FoveaError) {
    let count = metadata.integer("\(architecture).expert_count") ?? 0
    guard let used = metadata.integer("\(architecture).expert_used_count"), used > count else {
      return
    }
    throw file.damaged("it uses \(used) of \(count) experts")
  }

  /// Positions turn pairs of numbers inside a head. The threads that compute assert on it; without any
  /// pair they never come to the end of a head.
  private static func checkRotation(
    _ metadata: borrowing MetadataHandle, _ architecture: String, _ file: CheckedFile
  ) throws(FoveaError) {
    let heads = metadata.integer("\(architecture).attention.head_count") ?? 0
    var length = metadata.integer("\(architecture).attention.key_length")
    if length == nil, heads > 0, let width = metadata.integer("\(architecture).embedding_length") {
      length = width / heads
    }
    for suffix in ["", "_swa"] {
      length = metadata.integer("\(architecture).attention.key_length\(suffix)") ?? length
      let key = "\(architecture).rope.dimension_count\(suffix)"
      guard let rotated = metadata.integer(key) else { continue }
      guard rotated > 0, rotated % 2 == 0, rotated <= length ?? rotated else {
        let heads = length.map { " in heads of \($0)" } ?? ""
        throw file.damaged("its \(key) is \(rotated)\(heads)")
      }
    }
  }

  /// The heads of a recurrent layer come in groups; where their steps have a norm of their own there
  /// are none, and 0 says so.
  private static func checkGroups(
    _ metadata: borrowing MetadataHandle, _ architecture: String, _ file: CheckedFile
  ) throws(FoveaError) {
    let key = "\(architecture).ssm.group_count"
    guard let groups = metadata.integer(key), !(1...1 << 16).contains(groups) else { return }
    let hasStepNorm = metadata.tensors().contains { $0.name.contains(".ssm_dt_norm") }
    if groups != 0 || !hasStepNorm { throw file.damaged("its \(key) is \(groups)") }
  }
}
