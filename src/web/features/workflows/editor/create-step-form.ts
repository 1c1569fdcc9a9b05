import type { InputContract } from '#contract/task.ts';
import type { InputForm } from '#web/forms/input-form.ts';
import { initialValue, type FormValues } from '#web/forms/form-values.ts';
import type { Editor } from './editor.ts';
import type { EditorStep } from './editor-state.ts';
import { parseSource } from './expressions.ts';
import { createValidatedForm } from './create-validated-form.ts';

const subscribeToNothing = () => () => undefined;

/**
 * Exposes a step's input as a form of its task. Fixed values are the form's values; fields with another source hold their
 * initial value.
 */
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
