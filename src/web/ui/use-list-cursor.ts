import { useCallback, useEffect, useMemo, useState } from 'react';

/**
 * Where the keyboard is in a list. It follows the focus, survives rows coming and going, and takes an open panel along. A row
 * says which it is with `data-row-id`, and holds what takes the focus, with `data-row`.
 * @param openId the row whose panel is open
 * @param onFollow opens another row's panel instead
 */
export function useListCursor(ids: readonly string[], openId: string | undefined, onFollow: (id: string) => void) {
  const [cursorId, setCursorId] = useState<string | undefined>(openId);
  const [target, setTarget] = useState<{ id: string } | null>(null);
  const cursor = cursorId === undefined ? -1 : ids.indexOf(cursorId);
  const reveal = useMemo(
    () => target && { index: ids.indexOf(target.id) },
    // Rows that come or go must not pull the view back to where the keyboard was.
    // oxlint-disable-next-line react/exhaustive-deps -- see above
    [target],
  );

  useEffect(() => {
    if (!target) return;
    const row = document.querySelector<HTMLElement>(`[data-row-id="${CSS.escape(target.id)}"] [data-row]`);
    row?.focus({ preventScroll: true });
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

  return { cursorId, cursor, reveal, step, moveTo, onFocus: setCursorId };
}
