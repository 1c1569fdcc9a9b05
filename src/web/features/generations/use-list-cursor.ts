import { useNavigate } from '@tanstack/react-router';
import { useCallback, useEffect, useMemo, useState } from 'react';

/**
 * Where the keyboard is in the list. It follows the focus, survives rows coming and going, and takes an open panel along.
 * @param openId the generation whose panel is open
 */
export function useListCursor(ids: readonly string[], openId: string | undefined) {
  const [cursorId, setCursorId] = useState<string | undefined>(openId);
  const [target, setTarget] = useState<{ id: string } | null>(null);
  const navigate = useNavigate();
  const cursor = cursorId === undefined ? -1 : ids.indexOf(cursorId);
  const reveal = useMemo(
    () => target && { index: ids.indexOf(target.id) },
    // oxlint-disable-next-line react/exhaustive-deps -- rows that come or go must not pull the view back to the cursor
    [target],
  );

  useEffect(() => {
    if (!target) return;
    const row = document.querySelector<HTMLElement>(`[data-generation="${CSS.escape(target.id)}"] a[data-row]`);
    row?.focus({ preventScroll: true });
  }, [target]);

  const moveTo = useCallback(
    (id: string | undefined, { follow = true } = {}) => {
      if (id === undefined) return;
      setCursorId(id);
      setTarget({ id });
      if (follow && openId !== undefined && openId !== id)
        void navigate({
          to: '/generations/$id',
          params: { id },
          search: (search) => search,
          replace: true,
          resetScroll: false,
        });
    },
    [navigate, openId],
  );
  const step = (by: 1 | -1) => moveTo(cursor < 0 ? ids[0] : ids[cursor + by]);

  return { cursorId, cursor, reveal, step, moveTo, onFocus: setCursorId };
}
