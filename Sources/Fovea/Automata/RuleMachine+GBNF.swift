extension RuleMachine {
  /// The texts that llama.cpp's grammar notation describes, from its rule `root`.
  ///
  ///     let machine = try RuleMachine(gbnf: "root ::= [0-9]+ \"\\n\"")
  ///
  /// Characters are Unicode's, and become the bytes of their UTF-8. A range that goes over the
  /// surrogates leaves them out.
  ///
  /// - Throws: `.invalidSchema` for a malformed grammar, an undefined rule, a missing `root` or a
  ///   rule without a finite text; `.unsupportedSchema` for left recursion and references to
  ///   tokens; `.schemaTooComplex`. The message names the line or the rules.
  package init(gbnf text: String) throws(FoveaError) {
    let grammar = try GBNFParser.parse(text)
    try grammar.check()
    self = try RuleCompiler.machine(of: grammar)
  }
}
