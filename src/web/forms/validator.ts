import type { parseInput } from '#contract/parse-input.ts';

/** `parseInput` of the contract, loaded on demand: it imports the schemas, which the first view does without. */
export type Validator = typeof parseInput;

let validator: Validator | null = null;
let loading: Promise<Validator> | null = null;
const listeners = new Set<() => void>();

/** Loads the validator, once. Rejects when it cannot be loaded, for example offline; the next call tries again. */
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

/** Loads the validator in the background, as soon as the form is likely to be used. */
export function preloadValidator(): void {
  loadValidator().catch(() => undefined);
}

/** The validator; null until it is loaded. */
export const loadedValidator = (): Validator | null => validator;

export function onValidatorLoad(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
