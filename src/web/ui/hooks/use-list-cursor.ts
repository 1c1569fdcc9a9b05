import { useCallback, useEffect, useMemo, useState } from 'react';
import { type Command, useCommands } from './commands.ts';

/**
 * Follows the focus, survives rows that come and go, and moves an open panel along. A row has its id in `data-row-id`;
 * inside it the element with `data-row` or a summary takes the focus, else the row itself.
 */
export function useListCursor(ids: readonly string[], openId: string | undefined, onFollow: (id: string) => void) {
  const [cursorId, setCursorId] = useState<string | undefined>(openId);
  const [target, setTarget] = useState<{ id: string } | null>(null);
  const cursor = cursorId === undefined ? -1 : ids.indexOf(cursorId);
  const reveal = useMemo(
    () => target && { index: ids.indexOf(target.id) },
    // Rows that come or go must not scroll the view back to the keyboard's row.
    // oxlint-disable-next-line react/exhaustive-deps -- see above
    [target],
  );

  useEffect(() => {
    if (!target) return;
    const row = document.querySelector<HTMLElement>(`[data-row-id="${CSS.escape(target.id)}"]`);
    (row?.querySelector<HTMLElement>('[data-row], summary') ?? row)?.focus({ preventScroll: true });
  }, [target]);

  const moveTo = useCallback(
    (id: string | undefined, { follow = true } = {}) => {
      if (id === undefined) return;
      setCursorId(id);
      setTarget({ id });
      if (follow && openId !== undefined && openId !== id) onFollow(id);
    },
    [onFollow, openId],
  );
  const step = (by: 1 | -1) => moveTo(cursor < 0 ? ids[0] : ids[cursor + by]);

  return { cursorId, cursor, target, reveal, step, moveTo, onFocus: setCursorId };
}

type ListCommand = Pick<Command, 'keys' | 'label' | 'run'>;

interface ListCommandsOptions {
  group: string;
  /** What the labels call a row: "run". */
  item: string;
  onStep: (by: 1 | -1) => void;
  onOpen?: () => void;
  onSearch?: () => void;
  commands?: readonly ListCommand[];
}

/** j and k move, Enter opens, f searches. The keyboard sheet lists them; the palette does not. */
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
