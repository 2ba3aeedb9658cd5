/**
 * Completion for bash: a function that knows the words of each place. Files are completed where nothing else is.
 */
import type { CommandInfo } from "../../app.ts";
import { placesOf } from "./words.ts";

export function bashScript(commands: readonly CommandInfo[]): string {
  const cases = placesOf(commands).toSorted((a, b) => b.words.length - a.words.length).map(
    ({ words, options }) => {
      const pattern = words.length === 0 ? "*" : `"${words.join(" ")} "*`;
      return `    ${pattern}) words="${options.map(({ text }) => text).join(" ")}" ;;`;
    },
  );
  return `# Completion of saber for bash.
_saber() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" words
  case "\${COMP_WORDS[*]:1:COMP_CWORD-1} " in
${cases.join("\n")}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -o default -F _saber saber
`;
}
