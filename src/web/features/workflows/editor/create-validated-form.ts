import type { FieldError } from 'react-hook-form';
import { toFieldError } from '#web/forms/field-errors.ts';
import type { InputForm } from '#web/forms/input-form.ts';
import type { Editor, StarterProblem } from './editor.ts';

type BaseForm = Pick<InputForm, 'contract' | 'values' | 'setValue' | 'setValues' | 'subscribe'>;

/**
 * A form whose errors are those that the service finds in the starter.
 * @param base holds the values
 * @param pathOf returns the path of the form in the starter's JSON
 */
export function createValidatedForm(base: BaseForm, editor: Editor, pathOf: () => string): InputForm {
  const errors = new Map<string, { problems: readonly StarterProblem[]; error: FieldError | undefined }>();
  const subscribe = (listener: () => void) => {
    const unsubscribe = [base.subscribe(listener), editor.subscribe(listener)];
    return () => unsubscribe.forEach((stop) => stop());
  };
  return {
    ...base,
    error: (name) => {
      const path = pathOf();
      const problems = editor.problemsAt(`${path}.${name}`);
      const cached = errors.get(name);
      if (cached?.problems === problems) return cached.error;
      // A field expects paths that begin like those of its task's input.
      const details = problems.map((problem) => ({ ...problem, path: `input${problem.path.slice(path.length)}` }));
      const error = toFieldError('server', details);
      errors.set(name, { problems, error });
      return error;
    },
    touch: (name) => editor.markTouched(`${pathOf()}.${name}`),
    // Only the service validates a starter, as a whole.
    submit: () => Promise.resolve(),
    setServerErrors: (details) => [...details],
    subscribe,
    subscribeField: (_name, listener) => subscribe(listener),
  };
}
