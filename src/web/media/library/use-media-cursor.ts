import { useCallback, useMemo, useState } from 'react';

export interface MediaCursor {
  cursorId: string | undefined;
  /** Is scrolled to and focused once for every new object. */
  target: { id: string } | null;
  onFocus: (id: string) => void;
  moveTo: (id: string | undefined) => void;
}

export function useMediaCursor(): MediaCursor {
  const [cursorId, setId] = useState<string>();
  const [target, setTarget] = useState<{ id: string } | null>(null);
  const moveTo = useCallback((to: string | undefined) => {
    if (to === undefined) return;
    setId(to);
    setTarget({ id: to });
  }, []);
  return useMemo(() => ({ cursorId, target, onFocus: setId, moveTo }), [cursorId, target, moveTo]);
}
