internal import Fovea

extension ModelFileCheck {
  /// Counts and sizes of a tower that turns pictures or sound into tokens, behind "clip.vision." or
  /// "clip.audio.". mtmd reads them as "u32" only; it divides by those that begin with 1.
  private static let towerCounts: [(key: String, range: ClosedRange<Int>)] = [
    ("embedding_length", 1...1 << 20),
    ("feed_forward_length", 0...1 << 24),
    ("block_count", 0...512),
    ("projection_dim", 0...1 << 24),
    ("attention.head_count", 0...1 << 12),
    ("attention.head_count_kv", 1...1 << 12),
    ("attention.head_dim", 0...1 << 16),
    ("image_size", 0...8_192),  // 0: any
    ("patch_size", 1...256),
    ("image_min_pixels", 0...1 << 26),
    ("image_max_pixels", 0...1 << 30),
    ("preproc_min_tiles", 0...256),
    ("preproc_max_tiles", 0...256),
    ("preproc_image_size", 0...1 << 14),
    ("projector.scale_factor", 1...64),
    ("projector.query_side", 1...4_096),
    ("projector.window_side", 1...4_096),
    ("spatial_merge_size", 1...64),
    ("n_wa_pattern", 0...512),
    ("window_size", 0...4_096),
    ("sam.block_count", 1...512),
    ("sam.head_count", 1...1 << 12),
    ("sam.embedding_length", 1...1 << 20),
    ("expert_used_count", 1...1 << 16),
    ("num_mel_bins", 0...1 << 16),
    ("projector.stack_factor", 1...1 << 12),
    ("chunk_size", 1...8_192),
    ("conv_kernel_size", 1...1 << 12),
    ("max_pos_emb", 1...1 << 24),
    ("projector.window_size", 1...1 << 16),
    ("projector.downsample_rate", 1...1 << 12),
    ("projector.head_count", 1...1 << 12),
    ("rvq.num_quantizers", 0...1 << 12),
    ("local_block_count", 0...512),
    ("local_group_size", 1...1 << 12),
    ("subsampling_factor", 1...1 << 12),
  ]

  static func checkProjector(
    _ metadata: borrowing MetadataHandle, _ tensors: [TensorEntry], _ file: CheckedFile
  ) throws(FoveaError) {
    for key in ["clip.has_vision_encoder", "clip.has_audio_encoder"] {
      try checkType(metadata, key, "bool", file)
    }
    for key in ["clip.projector_type", "clip.vision.projector_type", "clip.audio.projector_type"] {
      try checkType(metadata, key, "str", file)
    }
    for tower in ["clip.vision", "clip.audio"] {
      for count in towerCounts {
        let key = "\(tower).\(count.key)"
        try checkType(metadata, key, "u32", file)
        try file.check(metadata, key, in: count.range)
      }
      let epsilon = "\(tower).attention.layer_norm_epsilon"
      try checkType(metadata, epsilon, "f32", file)
      try file.checkEpsilon(metadata, epsilon)
      // A tower without blocks has no heads either.
      if metadata.integer("\(tower).attention.head_count") == 0,
        let blocks = metadata.integer("\(tower).block_count"), blocks > 0
      {
        throw file.damaged("its \(tower).attention.head_count is 0")
      }
    }
    try checkPixels(metadata, file)
    try checkWindows(metadata, file)
    try checkPatches(metadata, tensors, file)
    try checkMerging(metadata, tensors, file)
    try checkTower(tensors, file)
  }

  private static func checkType(
    _ metadata: borrowing MetadataHandle, _ key: String, _ expected: String, _ file: CheckedFile
  ) throws(FoveaError) {
    guard let type = metadata.typeName(key), type != expected else { return }
    throw file.damaged("the type of its \(key) is \(type), not \(expected)")
  }

  /// The filter that makes vectors of patches is as large as a patch, or as patches that are merged.
  /// Else mtmd cuts a picture in another way than it expects.
  private static func checkPatches(
    _ metadata: borrowing MetadataHandle, _ tensors: [TensorEntry], _ file: CheckedFile
  ) throws(FoveaError) {
    // Two towers in a row have two sizes, and only one of them has a key.
    guard !tensors.contains(where: { $0.name.hasPrefix("v.sam.") }),
      let shape = tensors.first(where: { $0.name == "v.patch_embd.weight" })?.shape,
      shape[2] == 3, let patch = metadata.integer("clip.vision.patch_size")
    else { return }
    let merge = metadata.integer("clip.vision.projector.scale_factor") ?? 1
    guard shape[0] == shape[1], shape[0] == patch || shape[0] == patch * merge else {
      throw file.damaged(
        "its clip.vision.patch_size is \(patch), but its filters are \(shape[0]) x \(shape[1])")
    }
  }

  /// mtmd's towers with a second filter, for the next picture of a film, put 2 x 2 patches into a token
  /// whatever the file says; it makes room by what the file says.
  private static func checkMerging(
    _ metadata: borrowing MetadataHandle, _ tensors: [TensorEntry], _ file: CheckedFile
  ) throws(FoveaError) {
    let key = "clip.vision.spatial_merge_size"
    guard let merge = metadata.integer(key), merge != 2,
      tensors.contains(where: { $0.name == "v.patch_embd.weight.1" })
    else { return }
    throw file.damaged("its \(key) is \(merge), not 2")
  }

  /// Colours are divided by their deviation, and pictures are fitted to the sizes of a list.
  private static func checkPixels(
    _ metadata: borrowing MetadataHandle, _ file: CheckedFile
  ) throws(FoveaError) {
    if let means = metadata.numbers("clip.vision.image_mean"),
      !means.allSatisfy({ (-1e3...1e3).contains($0) })
    {
      throw file.damaged("its clip.vision.image_mean is \(means)")
    }
    if let deviations = metadata.numbers("clip.vision.image_std"),
      !deviations.allSatisfy({ (1e-6...1e6).contains($0) })
    {
      throw file.damaged("its clip.vision.image_std is \(deviations)")
    }
    if let sizes = metadata.numbers("clip.vision.image_grid_pinpoints"),
      !sizes.allSatisfy({ (1...65_536).contains($0) })
    {
      throw file.damaged("its clip.vision.image_grid_pinpoints are \(sizes)")
    }
  }

  /// A tower that looks at windows goes over the picture by whole windows of 2 x 2 patches each; a
  /// window of none would never come to the end. Another kind cuts the picture into whole windows.
  private static func checkWindows(
    _ metadata: borrowing MetadataHandle, _ file: CheckedFile
  ) throws(FoveaError) {
    let patch = metadata.integer("clip.vision.patch_size") ?? 1
    let hasWindows =
      metadata.integer("clip.vision.n_wa_pattern") ?? 0 > 0
      || metadata.numbers("clip.vision.wa_layer_indexes")?.isEmpty == false
    if hasWindows {
      var window = metadata.integer("clip.vision.window_size") ?? 0
      if window == 0 { window = 112 }  // mtmd's default
      if window < 2 * patch {
        throw file.damaged("its windows of \(window) pixels hold no 2 x 2 patches of \(patch)")
      }
    }
    if let side = metadata.integer("clip.vision.projector.window_side"),
      let size = metadata.integer("clip.vision.image_size"), side > size / patch
    {
      throw file.damaged(
        "its clip.vision.projector.window_side is \(side), more than a picture's patches")
    }
  }
}
