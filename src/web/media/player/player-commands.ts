import type { Command } from '#web/ui/commands.ts';
import type { Player } from './use-player.ts';

/** Playing by keys. */
export function playerCommands(
  group: string,
  { toggle, step, toggleMuted }: Pick<Player, 'toggle' | 'step' | 'toggleMuted'>,
): Command[] {
  const command = (keys: string, label: string, run: () => void): Command => ({
    group,
    label,
    keys,
    run,
    inDialog: true,
    hiddenInPalette: true,
  });
  return [
    command(' ', 'Play or pause', toggle),
    command('k', 'Play or pause', toggle),
    command(',', 'A frame back', () => step(-1)),
    command('.', 'A frame on', () => step(1)),
    command('m', 'Sound on or off', toggleMuted),
  ];
}
