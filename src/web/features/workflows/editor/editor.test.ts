import { expect, it, vi } from 'vitest';
import { inputContract } from '#contract/catalog.ts';
import { createEditor } from './editor.ts';
import { blankState } from './editor-state.ts';
import { createStepForm } from './create-validated-form.ts';

const problems = [
  { path: 'name', message: 'Name is required.' },
  { path: 'steps.0.input.prompt', message: 'Prompt is required.' },
  { path: 'steps.0.name', message: 'Too long.' },
];

it('shows a problem after its field is touched, and all problems after showAll', () => {
  const editor = createEditor(blankState(), false);
  editor.setProblems(problems);
  expect(editor.problemsAt('name')).toEqual([]);
  editor.markTouched('name');
  expect(editor.problemsAt('name')).toEqual([problems[0]]);
  expect(editor.problemsAt('steps.0')).toEqual([]);
  editor.showAll();
  expect(editor.problemsAt('steps.0')).toHaveLength(2);
  expect(editor.problemsAt('step')).toEqual([]);
  expect(editor.problemsAt('steps.0')).toBe(editor.problemsAt('steps.0'));
});

it('exposes a step as a form with fixed values, service problems and stable objects', () => {
  const editor = createEditor(blankState(), true);
  const [step] = editor.state().steps;
  const contract = inputContract('image.create', 'imgmodel-b-2');
  if (!step || !contract) throw new Error('No step');
  const form = createStepForm(editor, step.id, contract);
  // The prompt comes from an input of the workflow, so its fixed value is empty.
  expect(form.values()['prompt']).toBe('');
  form.setValue('prompt', 'A fox');
  expect(editor.state().steps[0]?.input['prompt']).toBe('A fox');
  expect(form.values()).toBe(form.values());
  expect(form.values()['prompt']).toBe('A fox');
  editor.setProblems(problems);
  expect(form.error('prompt')).toMatchObject({ message: 'Prompt is required.' });
  expect(form.error('prompt')).toBe(form.error('prompt'));
});

it('notifies listeners only of changes', () => {
  const editor = createEditor(blankState(), false);
  const listener = vi.fn();
  editor.subscribe(listener);
  editor.change((state) => state);
  editor.setProblems([]);
  expect(listener).not.toHaveBeenCalled();
  editor.change((state) => ({ ...state, name: 'Fox' }));
  expect(listener).toHaveBeenCalledTimes(1);
});
