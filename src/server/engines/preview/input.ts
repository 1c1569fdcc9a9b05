import { hashText } from './random.ts';

/**
 * The seed of a job: the one asked for, else one that belongs to the generation, so that every generation differs and a
 * second run of the same one does not.
 */
export const jobSeed = (generation_id: string, seed: number | null | undefined = null): number =>
  seed ?? hashText(generation_id) & 0x7fffffff;
