import Foundation
import Fovea
import FoveaTestSupport
import Testing

/// Projectors that are wrong in one place, beside the embedded model.
@Suite("Malformed projectors", .serialized)
struct MalformedProjectorTests {
  /// One change of the embedded projector.
  struct Change: Sendable, CustomTestStringConvertible {
    var name: String
    /// What the error says; nil: the file is harmless, or fails when it sees a picture.
    var says: String?
    var edit: @Sendable (inout GGUFEditor) -> Bool
    var testDescription: String { name }

    /// A value of "clip.vision.".
    static func value(_ key: String, _ value: UInt32) -> Change {
      Change(name: "\(key) \(value)", says: "clip.vision.\(key) is ") {
        $0.set("clip.vision.\(key)", to: value)
      }
    }
    /// A value of "clip.vision." that the file has not got.
    static func added(_ key: String, _ value: UInt32) -> Change {
      Change(name: "\(key) \(value)", says: "clip.vision.\(key) is ") {
        $0.add("clip.vision.\(key)", value)
      }
    }
    /// A value said to be of another type.
    static func type(_ key: String, _ type: UInt32, _ says: String) -> Change {
      Change(name: "\(key) of type \(type)", says: says) { $0.setType(of: key, to: type) }
    }
    static func without(_ tensor: String, says: String = "is missing") -> Change {
      Change(name: "without \(tensor)", says: says) { $0.hide(tensor: tensor) }
    }
  }

  static let changes: [Change] = [
    .value("patch_size", 0), .value("patch_size", 7), .value("patch_size", .max),
    .value("image_size", 100_000), .value("embedding_length", 0),
    .value("embedding_length", .max), .value("attention.head_count", 0),
    .value("attention.head_count", 1 << 30), .value("block_count", 100_000),
    .value("feed_forward_length", .max), .value("spatial_merge_size", 0),
    .value("spatial_merge_size", 1 << 20),
    .value("attention.layer_norm_epsilon", Float(-1).bitPattern),
    .value("attention.layer_norm_epsilon", Float.nan.bitPattern),
    .added("projector.scale_factor", 0), .added("projector.window_side", 0),
    .added("projector.query_side", 0), .added("projector.window_side", 1_000),
    .added("attention.head_count_kv", 0), .added("preproc_max_tiles", .max),
    .added("image_min_pixels", .max), .added("sam.head_count", 0),
    Change(name: "windows without patches", says: "windows of 8 pixels") {
      $0.add("clip.vision.n_wa_pattern", 8) && $0.add("clip.vision.window_size", 8)
    },
    Change(name: "no deviation of colours", says: "clip.vision.image_std is ") {
      $0.set("clip.vision.image_std", item: 1, to: 0)
    },
    Change(name: "no number as a mean of colours", says: "clip.vision.image_mean is ") {
      $0.set("clip.vision.image_mean", item: 2, to: Float.nan.bitPattern)
    },
    .type("clip.vision.patch_size", 5, "clip.vision.patch_size is i32, not u32"),
    .type("clip.vision.block_count", 6, "clip.vision.block_count is f32, not u32"),
    .type("clip.vision.attention.layer_norm_epsilon", 4, "is u32, not f32"),
    .type("clip.has_vision_encoder", 0, "clip.has_vision_encoder is u8, not bool"),
    .without("v.blk.2.attn_q.weight"), .without("v.blk.0.attn_out.weight"),
    .without("v.blk.3.ln2.weight"), .without("v.patch_embd.weight"),
    .without("mm.1.weight", says: "cannot be loaded"),
    .without("v.blk.1.ffn_up.weight", says: "cannot be loaded"),
    Change(name: "an unknown projector", says: "cannot be loaded") { editor in
      editor.pairs.first { $0.key == "clip.projector_type" }.map {
        editor.write(UInt8(ascii: "?"), at: $0.valueAt + 8)
      } != nil
    },
    Change(name: "weights of whole numbers", says: "'mm.1.bias' has the type i32") {
      $0.setType(ofTensor: "mm.1.bias", to: 26)
    },
    Change(name: "a tensor without numbers", says: "damaged") {
      $0.setLength(ofTensor: "v.pre_ln.weight", axis: 0, to: 0)
    },
    Change(name: "a tensor of another length", says: "damaged") {
      $0.setLength(ofTensor: "v.pre_ln.weight", axis: 0, to: 4_096)
    },
    Change(name: "cut in the header", says: "damaged") { $0.cut(to: 900) },
    Change(name: "cut behind the header", says: "would end at") { $0.cut(to: $0.headerEnd + 64) },
    Change(name: "the last byte is missing", says: "would end at") {
      $0.cut(to: $0.data.count - 1)
    },
    Change(name: "fewer blocks than there are") { $0.set("clip.vision.block_count", to: 2) },
    Change(name: "more blocks than there are", says: "cannot be loaded") {
      $0.set("clip.vision.block_count", to: 5)
    },
    Change(name: "another width") { $0.set("clip.vision.embedding_length", to: 64) },
    Change(name: "heads of part of a number") { $0.set("clip.vision.attention.head_count", to: 7) },
    Change(name: "merged where nothing is prepared for it") {
      $0.set("clip.vision.spatial_merge_size", to: 2)
    },
    Change(name: "another projection") { $0.set("clip.vision.projection_dim", to: 5) },
  ]

  @Test("a projector that is wrong in one place", arguments: changes)
  func projector(change: Change) async throws {
    let folder = try Material.temporaryFolder()
    defer { try? FileManager.default.removeItem(at: folder) }  // it is only a test's folder
    let file = folder.appendingPathComponent("mmproj.gguf")
    var editor = try GGUFEditor(path: Material.projector)
    try #require(change.edit(&editor))
    try editor.write(to: file)
    switch (await LoadOutcome.of(Material.model, projector: file.path), change.says) {
    case (.refused(let error), let says?):
      LoadOutcome.check(error, of: file.path, code: .invalidProjector, "\(error)")
      #expect(error.message.contains(says), "\(error)")
    case (.works, nil): break
    case (.failed(let error), nil):
      #expect(error.code == .engineFailed && error.cause != nil, "\(error)")
    case (let found, let says): Issue.record("\(found) instead of \(says ?? "no refusal")")
    }
  }
}
