import type { SelectOption } from '#web/ui/select.tsx';
import type { EditorInput, EditorStep } from '../editor-state.ts';
import { detectInputKind, inputTitle } from '../inputs/input-kinds.ts';
import { outputMediaKind } from './source-options.ts';

type Options = SelectOption<string>[];

export function conditionOptions(inputs: readonly EditorInput[]): Options {
  return inputs.flatMap((input) => {
    const { key, property, required } = input;
    const kind = detectInputKind(property);
    if (kind === 'boolean') return [{ value: `input.${key}`, label: `“${inputTitle(input)}” is on` }];
    const isOptionalFile = (kind === 'file' || kind === 'files') && !required;
    return isOptionalFile ? [{ value: `$boolean(input.${key})`, label: `“${inputTitle(input)}” is provided` }] : [];
  });
}

export function listOptions(
  inputs: readonly EditorInput[],
  steps: readonly EditorStep[],
  { id }: Pick<EditorStep, 'id'>,
): Options {
  const at = steps.findIndex((step) => step.id === id);
  const ofInputs = inputs
    .filter(({ property }) => detectInputKind(property) === 'files')
    .map((input) => ({ value: `input.${input.key}`, label: `For each file in “${inputTitle(input)}”` }));
  const ofSteps = steps.slice(0, Math.max(0, at)).flatMap((step) => {
    const name = step.name || step.key;
    if (step.task === 'social.search')
      return [{ value: `steps.${step.key}.output.data.videos`, label: `For each post from “${name}”` }];
    return outputMediaKind(step)
      ? [{ value: `steps.${step.key}.output.assets`, label: `For each file from “${name}”` }]
      : [];
  });
  return [...ofInputs, ...ofSteps];
}
