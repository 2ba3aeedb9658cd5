/**
 * Completion for PowerShell, with the help of each word.
 */
import type { CommandInfo } from "../../app.ts";
import { placesOf, quoted } from "./words.ts";

export function powershellScript(commands: readonly CommandInfo[]): string {
  const entries = placesOf(commands).map(({ words, options }) => {
    const items = options.map(({ text, help }) => `    @(${quoted(text)}, ${quoted(help)})`);
    return `  ${quoted(words.join(" "))} = @(\n${items.join(",\n")}\n  )`;
  });
  return `# Completion of saber for PowerShell.
$SaberWords = @{
${entries.join("\n")}
}
Register-ArgumentCompleter -Native -CommandName saber -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $typed = @($commandAst.CommandElements | Select-Object -Skip 1 | ForEach-Object { "$_" } | Where-Object { $_ -notlike '-*' -and $_ -ne $wordToComplete })
  $place = ($typed | Select-Object -First 2) -join ' '
  while ($place -ne '' -and -not $SaberWords.ContainsKey($place)) { $place = ($place -split ' ' | Select-Object -SkipLast 1) -join ' ' }
  $SaberWords[$place] | Where-Object { $_[0] -like "$wordToComplete*" } | ForEach-Object {
    [System.Management.Automation.CompletionResult]::new($_[0], $_[0], 'ParameterValue', $_[1])
  }
}
`;
}
