import type { Command } from '#web/ui/commands.ts';
import type { Player } from './use-player.ts';

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
    command(',', 'Previous frame', () => step(-1)),
    command('.', 'Next frame', () => step(1)),
    command('m', 'Mute or unmute', toggleMuted),
  ];
}
