import type { FieldError } from 'react-hook-form';
import type { InputContract } from '#contract/task.ts';
import { toFieldError } from '#web/forms/field-errors.ts';
import { type FormValues, initialValue } from '#web/forms/form-values.ts';
import type { InputForm } from '#web/forms/input-form.ts';
import type { EditorStep } from './editor-state.ts';
import type { Editor, StarterProblem } from './editor.ts';
import { parseSource } from './expressions.ts';

type BaseForm = Pick<InputForm, 'contract' | 'values' | 'setValue' | 'setValues' | 'subscribe'>;

/** Shows the errors that the service finds in the starter. @param pathOf the path of the form in the starter's JSON */
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

const subscribeToNothing = () => () => undefined;

/** Fixed values are the form's values; fields with another source hold their initial value. */
export function createStepForm(editor: Editor, id: string, contract: InputContract): InputForm {
  let input: EditorStep['input'] | undefined;
  let values: FormValues = {};

  const readValues = (): FormValues => {
    const step = editor.state().steps.find((each) => each.id === id);
    if (!step || step.input === input) return values;
    ({ input } = step);
    values = Object.fromEntries(
      contract.fields.map((field) => {
        const value = step.input[field.name];
        return [field.name, parseSource(value).kind === 'fixed' ? value : initialValue(field)];
      }),
    );
    return values;
  };
  const setValues = (next: FormValues) =>
    editor.changeStep(id, (step) => {
      // Cleared fields stay visible and are validated as null.
      const changed = Object.entries(next).map(([name, value]) => [name, value ?? null]);
      return { ...step, input: { ...step.input, ...Object.fromEntries(changed) } };
    });
  const pathOf = () => `steps.${editor.state().steps.findIndex((step) => step.id === id)}.input`;
  return createValidatedForm(
    {
      contract,
      values: readValues,
      setValues,
      setValue: (name, value) => setValues({ [name]: value }),
      subscribe: subscribeToNothing,
    },
    editor,
    pathOf,
  );
}
