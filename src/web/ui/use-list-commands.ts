import { type Command, useCommands } from './commands.ts';

type ListCommand = Pick<Command, 'keys' | 'label' | 'run'>;

export interface ListCommandsOptions {
  group: string;
  /** What the labels call a row: "run". */
  item: string;
  onStep: (by: 1 | -1) => void;
  onOpen?: () => void;
  onSearch?: () => void;
  commands?: readonly ListCommand[];
}

/**
 * Registers the keyboard commands of a list: j and k move, Enter opens, f searches. The keyboard sheet lists them; the
 * palette does not.
 */
export function useListCommands({ group, item, onStep, onOpen, onSearch, commands = [] }: ListCommandsOptions): void {
  const listCommands: ListCommand[] = [
    { keys: 'j', label: `Next ${item}`, run: () => onStep(1) },
    { keys: 'k', label: `Previous ${item}`, run: () => onStep(-1) },
    ...(onOpen ? [{ keys: 'enter', label: `Open the ${item}`, run: onOpen }] : []),
    ...commands,
  ];
  useCommands([
    ...listCommands.map((command): Command => ({ ...command, group, hiddenInPalette: true })),
    ...(onSearch ? [{ group, keys: 'f', label: 'Search', run: onSearch }] : []),
  ]);
}
