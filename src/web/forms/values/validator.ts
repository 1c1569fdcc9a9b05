import type { parseInput } from '#contract/parse-input.ts';

/** `parseInput` is lazy-loaded because it imports the schemas. */
export type Validator = typeof parseInput;

let validator: Validator | null = null;
let loading: Promise<Validator> | null = null;
const listeners = new Set<() => void>();

/** Rejects if the validator can't be loaded, for example offline; the next call tries again. */
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

export function preloadValidator(): void {
  loadValidator().catch(() => undefined);
}

export const loadedValidator = (): Validator | null => validator;

export function onValidatorLoad(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
