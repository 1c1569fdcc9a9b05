import type { InputContract } from '#contract/task.ts';
import type { FieldState, FormState } from '#web/forms/form-state.ts';
import { initialValue, type Values } from '#web/forms/input-values.ts';
import type { Editor, Problem } from './editor.ts';
import type { EditorStep } from './editor-state.ts';
import { sourceOf } from './expressions.ts';

const stepOf = (editor: Editor, id: string) => editor.state().steps.find((step) => step.id === id);

/**
 * The input of a step as a form whose fields are those of its task: what is written there by hand is its values, and what the
 * service says of them is its problems. Fields that take their value from elsewhere hold what an untouched form holds.
 */
export function createStepForm(editor: Editor, id: string, contract: InputContract): FormState {
  let input: EditorStep['input'] | undefined;
  let values: Values = {};
  const states = new Map<string, FieldState & { found: readonly Problem[] }>();
  const at = () => `steps.${editor.state().steps.findIndex((step) => step.id === id)}`;

  const read = (): Values => {
    const step = stepOf(editor, id);
    if (!step || step.input === input) return values;
    ({ input } = step);
    values = Object.fromEntries(
      contract.fields.map((field) => {
        const given = step.input[field.name];
        return [field.name, sourceOf(given).kind === 'fixed' ? given : initialValue(field)];
      }),
    );
    return values;
  };
  const assign = (next: Values) =>
    editor.changeStep(id, (step) => {
      // What was emptied stays in sight, and is judged as empty.
      const given = Object.entries(next).map(([name, value]) => [name, value ?? null]);
      return { ...step, input: { ...step.input, ...Object.fromEntries(given) } };
    });
  return {
    contract,
    values: read,
    field: (name) => {
      const value = read()[name];
      const found = editor.problemsAt(`${at()}.input.${name}`);
      const known = states.get(name);
      if (known && known.value === value && known.found === found) return known;
      // As paths of a form begin.
      const problems = found.map(({ path, message }) => ({ path: path.slice(at().length + 1), message }));
      const state = { value, problems, found };
      states.set(name, state);
      return state;
    },
    set: (name, value) => assign({ [name]: value }),
    assign,
    leave: (name) => editor.leave(`${at()}.input.${name}`),
    // The service judges the whole.
    judge: () => Promise.resolve(null),
    refuse: (details) => [...details],
    subscribe: editor.subscribe,
  };
}
