import { hashKey } from '@tanstack/react-query';

type Input = Readonly<Record<string, unknown>>;

/** The fields of `after` that differ from `before`; one that was emptied is sent as null or as an empty list. */
export function changedInputs(before: Input, after: Input): Record<string, unknown> {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return Object.fromEntries(
    [...names].flatMap((name) => {
      const [old, value] = [before[name] ?? null, after[name] ?? null];
      if (hashKey([old]) === hashKey([value])) return [];
      return [[name, value === null && Array.isArray(old) ? [] : value] as const];
    }),
  );
}
