import type { Command } from '#web/ui/hooks/commands.ts';

/** Returns the commands that contain every word of `text`, the beginnings of words first. Groups stay together. */
export function findCommands(commands: readonly Command[], text: string): Command[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const scored = commands
    .map((command) => ({
      command,
      score: matchScore(`${command.label} ${command.group}`.toLowerCase(), command.words?.toLowerCase() ?? '', words),
    }))
    .filter(({ score }) => score > 0);
  if (words.length > 0) scored.sort((one, other) => other.score - one.score);
  const groups = Map.groupBy(scored, ({ command }) => command.group);
  return [...groups.values()].flat().map(({ command }) => command);
}

function matchScore(label: string, more: string, words: readonly string[]): number {
  let total = 1;
  for (const word of words) {
    const at = label.indexOf(word);
    // Only the beginnings of further words, and after every label.
    if (at < 0 && !` ${more}`.includes(` ${word}`)) return 0;
    if (at >= 0) total += at === 0 ? 3 : /[a-z0-9]/.test(label.charAt(at - 1)) ? 1 : 2;
    else total += 0.5;
  }
  return total;
}
