internal import Fovea

@main
struct Main {
  static func main() async {}
}
