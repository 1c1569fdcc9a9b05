import type { EngineJob } from '../engine.ts';

type Input = EngineJob['input'];

/** A text of the validated input; empty where there is none. */
export const textOf = (input: Input, name: string): string => {
  const value = input[name];
  return typeof value === 'string' ? value : '';
};

/** A number of the validated input, or null. */
export const numberOf = (input: Input, name: string): number | null => {
  const value = input[name];
  return typeof value === 'number' ? value : null;
};
