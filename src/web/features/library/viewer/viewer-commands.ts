import type { Command } from '#web/ui/commands.ts';

export interface ViewerActions {
  step: (by: 1 | -1) => void;
  details: () => void;
  lineage: () => void;
  star: () => void;
  remove: () => void;
}

const group = 'Viewer';

/** What an open medium answers to. */
export function viewerCommands({ step, details, lineage, star, remove }: ViewerActions): Command[] {
  const command = (keys: string, label: string, run: () => void): Command => ({
    group,
    label,
    keys,
    run,
    inDialog: true,
    hiddenInPalette: true,
  });
  return [
    command('arrowright', 'The next one', () => step(1)),
    command('arrowleft', 'The one before', () => step(-1)),
    command('i', 'Details', details),
    command('l', 'Lineage', lineage),
    command('f', 'Star', star),
    command('delete', 'Delete', remove),
  ];
}
