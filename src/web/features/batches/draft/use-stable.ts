import { useMemo } from 'react';

/** Returns the same object while its JSON is the same. */
export function useStable<T>(value: T): T {
  const json = JSON.stringify(value);
  return useMemo(() => JSON.parse(json) as T, [json]);
}
