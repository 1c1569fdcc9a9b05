import { useState } from 'react';

/** A value with its earlier ones, for undo and redo. */
export function useHistory<Value>(initial: () => Value) {
  const [{ past, value, future }, setState] = useState(() => ({
    past: [] as readonly Value[],
    value: initial(),
    future: [] as readonly Value[],
  }));
  return {
    value,
    set: (next: Value) => setState((now) => ({ past: [...now.past, now.value], value: next, future: [] })),
    undo: () =>
      setState((now) => {
        const before = now.past.at(-1);
        return before === undefined
          ? now
          : { past: now.past.slice(0, -1), value: before, future: [now.value, ...now.future] };
      }),
    redo: () =>
      setState((now) => {
        const [after, ...rest] = now.future;
        return after === undefined ? now : { past: [...now.past, now.value], value: after, future: rest };
      }),
    canUndo: past.length > 0,
    canRedo: future.length > 0,
  };
}
