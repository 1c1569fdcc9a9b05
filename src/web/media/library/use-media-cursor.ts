import { useCallback, useMemo, useState } from 'react';

/** Keyboard position in a list of media. It follows the focus and survives changes of the list. */
export interface MediaCursor {
  id: string | undefined;
  /** Medium to scroll to and focus, once for every new object. */
  target: { id: string } | null;
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
