import { useCommands } from '#web/ui/commands.ts';

interface UploadKeysOptions {
  step: (by: 1 | -1) => void;
  open: () => void;
  select: (range: boolean) => void;
  selectAll: () => void;
  onDelete: () => void;
  find: () => void;
  close: () => void;
}

const group = 'Uploads';

/** The table by keyboard: rows, open, select, delete, filter, close. */
export function useUploadKeys({ step, open, select, selectAll, onDelete, find, close }: UploadKeysOptions): void {
  const hidden = { group, hiddenInPalette: true };
  useCommands([
    { ...hidden, label: 'Next row', keys: 'j', run: () => step(1) },
    { ...hidden, label: 'Row before', keys: 'k', run: () => step(-1) },
    { ...hidden, label: 'Open the row', keys: 'enter', run: open },
    { ...hidden, label: 'Select the row', keys: 'x', run: () => select(false) },
    { ...hidden, label: 'Select up to the row', keys: 'shift+x', run: () => select(true) },
    { ...hidden, label: 'Select all that is loaded', keys: 'mod+a', run: selectAll },
    { ...hidden, label: 'Delete the row, or what is selected', keys: 'delete', run: onDelete },
    { group, label: 'Search and filter', keys: 'f', run: find },
    { ...hidden, label: 'Close the open one, or clear the selection', keys: 'escape', run: close },
  ]);
}
