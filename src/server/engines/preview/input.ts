import { hashText } from './random.ts';

/** Returns the requested seed, else one derived from the generation: generations differ, and a rerun repeats. */
export const jobSeed = (generation_id: string, seed: number | null | undefined = null): number =>
  seed ?? hashText(generation_id) & 0x7fffffff;
