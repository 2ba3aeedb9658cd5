/**
 * Completion for zsh, with the help of each word. Files are completed where nothing else is.
 */
import type { CommandInfo } from "../../app.ts";
import { placesOf, quoted } from "./words.ts";

export function zshScript(commands: readonly CommandInfo[]): string {
  const cases = placesOf(commands).toSorted((a, b) => b.words.length - a.words.length).map(
    ({ words, options }) => {
      const pattern = words.length === 0 ? "*" : `"${words.join(" ")} "*`;
      const items = options.map(({ text, help }) => quoted(`${text}:${help}`)).join(" ");
      return `    ${pattern}) options=(${items}) ;;`;
    },
  );
  return `#compdef saber
# Completion of saber for zsh.
_saber() {
  local -a options
  case "\${words[2,CURRENT-1]} " in
${cases.join("\n")}
  esac
  _describe 'saber' options || _files
}
compdef _saber saber
`;
}
