extension ModelDescription {
  /// How prompts are written for the model; an error where its chat template cannot be used.
  package var promptFormat: Result<PromptFormat, FoveaError> {
    Result { () throws(FoveaError) in
      try PromptFormat(
        source: chatTemplate, speaksChatML: speaksChatML, tokenTexts: tokenTexts)
    }
  }
}
