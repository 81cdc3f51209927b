internal import Fovea

extension ModelFileCheck {
  /// All tensors lie inside the file, and matrices have numbers that can be multiplied. A short file
  /// would otherwise be read as whatever the memory held before.
  static func checkTensors(_ tensors: [TensorEntry], _ file: CheckedFile) throws(FoveaError) {
    for tensor in tensors {
      guard tensor.end <= file.size else {
        throw file.damaged(
          "it has \(file.size) bytes, and its tensor '\(tensor.name)' would end at \(tensor.end)")
      }
      // Tables that say which expert a token goes to hold whole numbers.
      guard tensor.canBeMultiplied || tensor.name.contains("tid2eid") else {
        throw file.damaged("its tensor '\(tensor.name)' has the type \(tensor.typeName)")
      }
    }
  }

  /// The parts of a block that are the same in all blocks of a tower.
  private static let blockParts: Set<Substring> = [
    "attn_q", "attn_k", "attn_v", "attn_qkv", "attn_out", "ln1", "ln2",
  ]

  /// The blocks of a tower have the same parts. mtmd uses a tensor that is not there like any other.
  static func checkTower(_ tensors: [TensorEntry], _ file: CheckedFile) throws(FoveaError) {
    let names = Set(tensors.map(\.name))
    var towers: [String: (blocks: Set<Int>, parts: Set<String>)] = [:]
    for name in names {
      // Such as "v.blk.3.attn_q.weight".
      let words = name.split(separator: ".", omittingEmptySubsequences: false)
      guard words.count >= 5, words[words.count - 4] == "blk",
        let block = Int(words[words.count - 3]), blockParts.contains(words[words.count - 2])
      else { continue }
      let tower = words.dropLast(3).joined(separator: ".")
      towers[tower, default: ([], [])].blocks.insert(block)
      towers[tower]?.parts.insert(words.suffix(2).joined(separator: "."))
    }
    for (tower, found) in towers.sorted(by: { $0.key < $1.key }) {
      for block in found.blocks.sorted() {
        for part in found.parts.sorted() where !names.contains("\(tower).\(block).\(part)") {
          throw file.damaged("its tensor '\(tower).\(block).\(part)' is missing")
        }
      }
      guard found.parts.contains("attn_out.weight"), !found.parts.contains("attn_qkv.weight")
      else { continue }
      for part in ["attn_q", "attn_k", "attn_v"] where !found.parts.contains("\(part).weight") {
        throw file.damaged("the tensors '\(tower).….\(part).weight' are missing")
      }
    }
    // Where patches go into attention something has made vectors of them.
    let makesVectors = names.contains {
      $0.hasSuffix("patch_embd.weight") || $0.contains("conv") || $0.contains("stem")
    }
    if towers["v.blk"]?.parts.contains("attn_out.weight") == true, !makesVectors {
      throw file.damaged("its tensor 'v.patch_embd.weight' is missing")
    }
  }
}
