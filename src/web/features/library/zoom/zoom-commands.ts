import type { Command } from '#web/ui/commands.ts';
import type { ZoomControl } from './use-zoom.ts';

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
    command('+', 'Zoom in', () => step(1)),
    command('=', 'Zoom in (without Shift)', () => step(1)),
    command('-', 'Zoom out', () => step(-1)),
    command('0', 'Fit to window', fit),
    command('1', 'Actual size or fit', toggle),
    command('shift+arrowleft', 'Pan left', () => nudge(1, 0)),
    command('shift+arrowright', 'Pan right', () => nudge(-1, 0)),
    command('shift+arrowup', 'Pan up', () => nudge(0, 1)),
    command('shift+arrowdown', 'Pan down', () => nudge(0, -1)),
  ];
}
