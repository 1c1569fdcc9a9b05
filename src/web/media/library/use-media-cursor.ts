import { useCallback, useMemo, useState } from 'react';

/** Where the keyboard is among the media. It follows the focus, and survives media coming and going. */
export interface MediaCursor {
  id: string | undefined;
  /** What to bring into sight and focus, once for every new object. */
  target: { id: string } | null;
  /** Hears of the focus. */
  onFocus: (id: string) => void;
  moveTo: (id: string | undefined) => void;
}

export function useMediaCursor(): MediaCursor {
  const [id, setId] = useState<string>();
  const [target, setTarget] = useState<{ id: string } | null>(null);
  const moveTo = useCallback((to: string | undefined) => {
    if (to === undefined) return;
    setId(to);
    setTarget({ id: to });
  }, []);
  return useMemo(() => ({ id, target, onFocus: setId, moveTo }), [id, target, moveTo]);
}
