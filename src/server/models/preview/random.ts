/** A deterministic random generator: the same seed gives the same sequence on every machine. */
export interface Random {
  /** In [0, 1). */
  next(): number;
  /** In [from, to). */
  range(from: number, to: number): number;
  /** An integer in [from, to]. */
  int(from: number, to: number): number;
  chance(probability: number): boolean;
  pick<T>(items: readonly [T, ...T[]]): T;
  /** An independent generator, so that one part does not disturb the sequence of another. */
  fork(label: string): Random;
}

/** 32-bit FNV-1a with a final mixing step, so that similar texts have very different hashes. */
export function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (const char of text) hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 0x01000193);
  return mix(hash);
}

export function mix(value: number): number {
  let x = value | 0;
  x = Math.imul(x ^ (x >>> 16), 0x21f0aaad);
  x = Math.imul(x ^ (x >>> 15), 0x735a2d97);
  return (x ^ (x >>> 15)) >>> 0;
}

export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x9e3779b9) >>> 0;
    return mix(state) / 0x1_0000_0000;
  };
  return {
    next,
    range: (from, to) => from + (to - from) * next(),
    int: (from, to) => from + Math.floor(next() * (to - from + 1)),
    chance: (probability) => next() < probability,
    pick: (items) => items[Math.floor(next() * items.length)] ?? items[0],
    fork: (label) => createRandom(mix(seed ^ hashText(label))),
  };
}

/** Returns the requested seed, else one derived from the generation: generations differ, and a rerun repeats. */
export const jobSeed = (generationId: string, seed: number | null | undefined = null): number =>
  seed ?? hashText(generationId) & 0x7fffffff;
