import type { ErrorDetail } from '#contract/errors.ts';
import type { FieldState, FormState } from '#web/forms/form-state.ts';
import type { Editor, StarterProblem } from './editor.ts';

type BaseForm = Pick<FormState, 'contract' | 'values' | 'set' | 'assign' | 'subscribe'>;

interface CachedFieldState extends FieldState {
  found: readonly StarterProblem[];
}

/**
 * A form whose problems are those that the service finds in the starter.
 * @param held what the form holds
 * @param pathOf where that stands in the starter's JSON
 */
export function createValidatedForm(held: BaseForm, editor: Editor, pathOf: () => string): FormState {
  const states = new Map<string, CachedFieldState>();
  return {
    ...held,
    field: (name) => {
      const value = held.values()[name];
      const path = pathOf();
      const found = editor.problemsAt(`${path}.${name}`);
      const known = states.get(name);
      if (known && known.value === value && known.found === found) return known;
      // Fields know paths as those of a form begin.
      const problems = found.map((problem): ErrorDetail => ({
        path: `input${problem.path.slice(path.length)}`,
        message: problem.message,
      }));
      const state = { value, problems, found };
      states.set(name, state);
      return state;
    },
    markTouched: (name) => editor.markTouched(`${pathOf()}.${name}`),
    // The service judges the whole.
    validate: () => Promise.resolve(null),
    showServerProblems: (details) => [...details],
    subscribe: (listener) => {
      const stops = [held.subscribe(listener), editor.subscribe(listener)];
      return () => {
        for (const stop of stops) stop();
      };
    },
  };
}
