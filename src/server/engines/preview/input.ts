import type { EngineJob } from '../engine.ts';
import { hashText } from './random.ts';

type Input = EngineJob['input'];

/** A text of the validated input; empty where there is none. */
export const inputText = (input: Input, name: string): string => {
  const value = input[name];
  return typeof value === 'string' ? value : '';
};

/** A number of the validated input, or null. */
export const inputNumber = (input: Input, name: string): number | null => {
  const value = input[name];
  return typeof value === 'number' ? value : null;
};

/**
 * The seed of a job: the one asked for, else one that belongs to the generation, so that every generation differs and a
 * second run of the same one does not.
 */
export const jobSeed = ({ input, generation_id }: EngineJob): number =>
  inputNumber(input, 'seed') ?? hashText(generation_id) & 0x7fffffff;
