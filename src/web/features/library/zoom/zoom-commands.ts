import type { Command } from '#web/ui/commands.ts';
import type { ZoomControl } from './use-zoom.ts';

/** Zooming and moving by keys. */
export function zoomCommands(group: string, { step, fit, toggle, nudge }: ZoomControl): Command[] {
  const command = (keys: string, label: string, run: () => void): Command => ({
    group,
    label,
    keys,
    run,
    inDialog: true,
    hiddenInPalette: true,
  });
  return [
    command('+', 'Larger', () => step(1)),
    command('=', 'Larger, on the same key', () => step(1)),
    command('-', 'Smaller', () => step(-1)),
    command('0', 'Fit to the window', fit),
    command('1', 'Own size, or fitted', toggle),
    command('shift+arrowleft', 'Look further left', () => nudge(1, 0)),
    command('shift+arrowright', 'Look further right', () => nudge(-1, 0)),
    command('shift+arrowup', 'Look further up', () => nudge(0, 1)),
    command('shift+arrowdown', 'Look further down', () => nudge(0, -1)),
  ];
}
