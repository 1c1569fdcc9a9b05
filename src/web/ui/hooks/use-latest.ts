import { type RefObject, useLayoutEffect, useRef } from 'react';

/** A ref to the value of the last render, for callbacks that have to stay the same object. */
export function useLatest<T>(value: T): RefObject<T> {
  const ref = useRef(value);
  useLayoutEffect(() => {
    ref.current = value;
  }, [value]);
  return ref;
}
