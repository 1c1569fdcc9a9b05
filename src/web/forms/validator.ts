import type { parseInput } from '#contract/parse-input.ts';

/** `parseInput` of the contract. It brings the schemas along, which the first view can do without. */
export type Validator = typeof parseInput;

let validator: Validator | null = null;
let loading: Promise<Validator> | null = null;
const listeners = new Set<() => void>();

/** Fetches the judge, once. Call it as soon as somebody turns to a form. Rejects where it can't be had right now. */
export function loadValidator(): Promise<Validator> {
  loading ??= import('#contract/parse-input.ts').then(
    (module) => {
      validator = module.parseInput;
      for (const listener of listeners) listener();
      return validator;
    },
    (error: unknown) => {
      loading = null;
      throw error;
    },
  );
  return loading;
}

/** Fetches the judge without anybody waiting for it. */
export function preloadValidator(): void {
  loadValidator().catch(() => undefined);
}

/** The judge, once it is here. */
export const loadedValidator = (): Validator | null => validator;

export function onValidatorLoad(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
