import { useState } from 'react';
import { DEFAULT_MAX_ITEMS, WORKFLOW_LIMITS } from '#contract/workflow-definition.ts';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { Disclosure } from '#web/ui/disclosure.tsx';
import { NumberField } from '#web/ui/number-field.tsx';
import { Select, type SelectOption } from '#web/ui/select.tsx';
import { TextInput } from '#web/ui/text-input.tsx';
import { useEditor, useEditorState, useProblems } from '../editor-context.ts';
import type { EditorInput, EditorStep } from '../editor-state.ts';
import { requiredStepKeys } from '../expressions.ts';
import { detectInputKind, inputTitle } from '../inputs/input-kinds.ts';
import { KeyField, PathField } from '../path-field.tsx';
import { outputMediaKind } from './source-options.ts';
import type { StepBodyProps } from './step-body.tsx';

const ALWAYS = 'always';
const CUSTOM_EXPRESSION = 'expression';

export function StepExecutionSettings({ step, at }: StepBodyProps) {
  const editor = useEditor();
  const path = `steps.${at}`;
  const { id, when, for_each, max_items } = step;
  const problems = useProblems(path).filter((problem) =>
    ['when', 'for_each', 'max_items', 'needs', 'key'].some((part) => problem.path.startsWith(`${path}.${part}`)),
  );
  const set = (parts: Partial<EditorStep>) => editor.changeStep(id, (now) => ({ ...now, ...parts }));
  const inputs = useEditorState((state) => state.inputs);
  const steps = useEditorState((state) => state.steps);
  const summaries = [when === null ? null : 'conditional', for_each === null ? null : 'repeats'];
  return (
    <Disclosure
      summary="Conditions and repeats"
      aside={<span className="text-sm text-ink-3">{summaries.filter(Boolean).join(', ') || 'runs once'}</span>}
      open={when !== null || for_each !== null || problems.length > 0}
    >
      <div className="grid gap-4 pt-2 sm:grid-cols-2">
        <ExpressionSelect
          label="Run if"
          path={`${path}.when`}
          value={when}
          none="Always"
          options={conditionOptions(inputs)}
          hint="JSONata. The step is skipped if the result is false or empty."
          onChange={(next) => set({ when: next })}
        />
        <ExpressionSelect
          label="Repeat"
          path={`${path}.for_each`}
          value={for_each}
          none="Once"
          options={listOptions(inputs, steps, step)}
          hint="JSONata. The step runs once per item of the list."
          onChange={(next) => set({ for_each: next, ...(next === null ? { max_items: null } : {}) })}
        />
        {for_each === null ? null : (
          <PathField label="Maximum items" optional hint="Only the first items run." path={`${path}.max_items`}>
            {typeof max_items === 'string' ? (
              <TextInput
                value={max_items}
                spellCheck={false}
                className="font-mono text-sm"
                onChange={(event) => set({ max_items: event.target.value || null })}
              />
            ) : (
              <NumberField
                value={max_items}
                min={1}
                max={WORKFLOW_LIMITS.items}
                placeholder={String(DEFAULT_MAX_ITEMS)}
                unit="items"
                onChange={(value) => set({ max_items: value })}
              />
            )}
          </PathField>
        )}
        <DependencyCheckboxes step={step} at={at} />
        <KeyField expressionRoot="steps" value={step.key} path={`${path}.key`} />
      </div>
    </Disclosure>
  );
}

interface ExpressionSelectProps {
  label: string;
  path: string;
  value: string | null;
  none: string;
  options: readonly { value: string; label: string }[];
  hint: string;
  onChange: (value: string | null) => void;
}

function ExpressionSelect({ label, path, value, none, options, hint, onChange }: ExpressionSelectProps) {
  const [wantsCustom, setWantsCustom] = useState(false);
  const isCustom = value !== null && (wantsCustom || !options.some((option) => option.value === value));
  return (
    <>
      <PathField label={label} path={isCustom ? null : path}>
        <Select
          value={isCustom ? CUSTOM_EXPRESSION : (value ?? ALWAYS)}
          options={[{ value: ALWAYS, label: none }, ...options, { value: CUSTOM_EXPRESSION, label: 'Expression' }]}
          onChange={(next) => {
            setWantsCustom(next === CUSTOM_EXPRESSION);
            onChange(next === ALWAYS ? null : next === CUSTOM_EXPRESSION ? (value ?? '') : next);
          }}
        />
      </PathField>
      {isCustom ? (
        <PathField label={`${label} expression`} hint={hint} path={path}>
          <TextInput
            value={value}
            spellCheck={false}
            autoCapitalize="off"
            className="font-mono text-sm"
            onChange={(event) => onChange(event.target.value)}
          />
        </PathField>
      ) : null}
    </>
  );
}

/** Earlier steps to wait for although the step uses nothing of them. */
function DependencyCheckboxes({ step, at }: StepBodyProps) {
  const editor = useEditor();
  const steps = useEditorState((state) => state.steps);
  const requiredKeys = new Set(requiredStepKeys(steps, { ...step, needs: [] }));
  const others = steps.slice(0, at).filter(({ key }) => !requiredKeys.has(key));
  if (others.length === 0) return null;
  return (
    <PathField label="Also wait for" optional group path={`steps.${at}.needs`} className="sm:col-span-2">
      <div className="flex flex-wrap gap-x-6 gap-y-2">
        {others.map(({ id, key, name }) => (
          <Checkbox
            key={id}
            label={name || key}
            checked={step.needs.includes(key)}
            onChange={(on) =>
              editor.changeStep(step.id, (now) => ({
                ...now,
                needs: on ? [...now.needs, key] : now.needs.filter((each) => each !== key),
              }))
            }
          />
        ))}
      </div>
    </PathField>
  );
}

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
