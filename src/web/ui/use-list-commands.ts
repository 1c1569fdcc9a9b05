import { type Command, useCommands } from './commands.ts';

/** A command of a list that is found by its keys and on the keyboard sheet, not in the palette. */
type ListCommand = Pick<Command, 'keys' | 'label' | 'run'>;

export interface ListCommandsOptions {
  /** Heading on the keyboard sheet. */
  group: string;
  /** What the labels call a row: "run". */
  item: string;
  /** Moves to the next or the previous row. */
  onStep: (by: 1 | -1) => void;
  /** Opens the current row. */
  onOpen?: () => void;
  /** Moves the focus to the search box. */
  onSearch?: () => void;
  /** Further commands of this list. */
  commands?: readonly ListCommand[];
}

/** The keyboard commands of a list: j and k move, Enter opens, f searches. Their labels are on the keyboard sheet. */
export function useListCommands({ group, item, onStep, onOpen, onSearch, commands = [] }: ListCommandsOptions): void {
  const listCommands: ListCommand[] = [
    { keys: 'j', label: `Next ${item}`, run: () => onStep(1) },
    { keys: 'k', label: `Previous ${item}`, run: () => onStep(-1) },
    ...(onOpen ? [{ keys: 'enter', label: `Open the ${item}`, run: onOpen }] : []),
    ...commands,
  ];
  useCommands([
    ...listCommands.map((command): Command => ({ ...command, group, hiddenInPalette: true })),
    ...(onSearch ? [{ group, keys: 'f', label: 'Search and filter', run: onSearch }] : []),
  ]);
}
