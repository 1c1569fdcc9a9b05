import type { parseInput } from '#contract/parse-input.ts';

/** `parseInput` of the contract. It brings the schemas along, which the first view can do without. */
export type Judge = typeof parseInput;

let judge: Judge | null = null;
let coming: Promise<Judge> | null = null;
const listeners = new Set<() => void>();

/** Fetches the judge, once. Call it as soon as somebody turns to a form. Rejects where it can't be had right now. */
export function loadJudge(): Promise<Judge> {
  coming ??= import('#contract/parse-input.ts').then(
    (module) => {
      judge = module.parseInput;
      for (const listener of listeners) listener();
      return judge;
    },
    (error: unknown) => {
      coming = null;
      throw error;
    },
  );
  return coming;
}

/** Fetches the judge without anybody waiting for it. */
export function expectJudge(): void {
  loadJudge().catch(() => undefined);
}

/** The judge, once it is here. */
export const judgeAtHand = (): Judge | null => judge;

export function onJudge(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
