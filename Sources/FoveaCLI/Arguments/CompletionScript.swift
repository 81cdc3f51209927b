/// Writes completion scripts from the same specifications as the help.
enum CompletionScript {
  static let shells = ["bash", "zsh", "fish"]

  static func script(for shell: String, commands: [CommandSpecification]) -> String {
    switch shell {
    case "zsh": "autoload -U +X bashcompinit && bashcompinit\n\(bash(commands))"
    case "fish": fish(commands)
    default: bash(commands)
    }
  }

  private static func bash(_ commands: [CommandSpecification]) -> String {
    var text = """
      # fovea completion for bash: source <(fovea completion bash)
      _fovea() {
        local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}
        if [ "$COMP_CWORD" -eq 1 ]; then
          COMPREPLY=($(compgen -W "\(commands.map(\.name).joined(separator: " ")) --help --version" -- "$word"))
          return
        fi
        case "${COMP_WORDS[1]} $before" in

      """
    for command in commands {
      for option in command.options where !option.choices.isEmpty {
        text += """
              "\(command.name) --\(option.name)") COMPREPLY=($(compgen -W \
          "\(option.choices.joined(separator: " "))" -- "$word")); return ;;

          """
      }
    }
    text += "  esac\n  case \"$word\" in\n    -*)\n      case \"${COMP_WORDS[1]}\" in\n"
    for command in commands {
      let names = (command.options + [.help]).map { "--\($0.name)" }.joined(separator: " ")
      text += "        \(command.name)) COMPREPLY=($(compgen -W \"\(names)\" -- \"$word\")) ;;\n"
    }
    text += """
            esac ;;
          *) COMPREPLY=($(compgen -f -- "$word")) ;;
        esac
      }
      complete -o filenames -F _fovea fovea

      """
    return text
  }

  private static func fish(_ commands: [CommandSpecification]) -> String {
    var text = "# fovea completion for fish: fovea completion fish | source\n"
    for command in commands {
      text +=
        "complete -c fovea -n __fish_use_subcommand -a \(command.name) -d \"\(command.summary)\"\n"
      for option in command.options {
        text += "complete -c fovea -n \"__fish_seen_subcommand_from \(command.name)\""
        text += " -l \(option.name)\(option.short.map { " -s \($0)" } ?? "")"
        if option.value != nil { text += " -r" }
        if !option.choices.isEmpty { text += " -f -a \"\(option.choices.joined(separator: " "))\"" }
        text += " -d \"\(option.help)\"\n"
      }
    }
    return text
  }
}
