import { useState } from 'react';
import type { FieldSpec } from '#contract/task.ts';
import { Checkbox } from '#web/ui/controls/checkbox.tsx';
import { Disclosure } from '#web/ui/controls/disclosure.tsx';
import { Field } from '#web/ui/controls/field.tsx';
import { Select } from '#web/ui/controls/select.tsx';
import { TextArea, TextInput } from '#web/ui/controls/text-input.tsx';
import { KeyField } from '../editor-parts.tsx';
import { requiredStepKeys } from '../expressions.ts';
import { readReference, type Reference } from '../step-references.ts';
import type { StarterStep } from '../starter-values.ts';
import { PathField } from '../validation.tsx';

interface StepAdvancedProps {
  step: StarterStep;
  steps: readonly StarterStep[];
  at: number;
  fields: readonly FieldSpec[];
  references: readonly Reference[];
  onChange: (parts: Partial<StarterStep>) => void;
}

/** The key and the expressions of a step, and the steps that it waits for without using them. */
export function StepAdvanced({ step, steps, at, fields, references, onChange }: StepAdvancedProps) {
  const path = `steps.${at}`;
  const required = new Set(requiredStepKeys(steps, { ...step, needs: [] }));
  const others = steps.slice(0, at).filter(({ key }) => !required.has(key));
  const expression = (name: 'when' | 'for_each', label: string, hint: string) => (
    <PathField label={label} optional hint={hint} path={`${path}.${name}`}>
      <TextInput
        value={step[name] ?? ''}
        spellCheck={false}
        autoCapitalize="off"
        className="font-mono text-sm"
        onChange={(event) => onChange({ [name]: event.target.value || null })}
      />
    </PathField>
  );
  return (
    <Disclosure summary="Advanced">
      <div className="grid gap-4 sm:grid-cols-2">
        {expression('when', 'Condition', 'JSONata. The step is skipped if the result is false or empty.')}
        {expression('for_each', 'Repeat for', 'JSONata. The step runs once per item of the list.')}
        <SettingExpression step={step} fields={fields} references={references} onChange={onChange} />
        {others.length > 0 ? (
          <PathField label="Also wait for" optional group path={`${path}.needs`} className="sm:col-span-2">
            <div className="flex flex-wrap gap-x-6 gap-y-2">
              {others.map(({ key, name }) => (
                <Checkbox
                  key={key}
                  label={name || key}
                  checked={step.needs.includes(key)}
                  onChange={(on) =>
                    onChange({ needs: on ? [...step.needs, key] : step.needs.filter((each) => each !== key) })
                  }
                />
              ))}
            </div>
          </PathField>
        ) : null}
        <KeyField root="steps" at={at} path={`${path}.key`} />
      </div>
    </Disclosure>
  );
}

/** Shows the JSON value of one setting. Settings that the task does not know can be cleared here. */
function SettingExpression({ step, fields, references, onChange }: Omit<StepAdvancedProps, 'steps' | 'at'>) {
  const { input } = step;
  const [chosen, setChosen] = useState<string | null>(null);
  const [draft, setDraft] = useState<string | null>(null);
  const labels = new Map([...Object.keys(input).map((key) => [key, key] as const), ...fields.map(toLabelEntry)]);
  const hasExpression = (key: string) => readReference(input[key], references)?.label === 'Expression';
  const name = chosen ?? [...labels.keys()].find(hasExpression) ?? [...labels.keys()][0];
  if (name === undefined) return null;
  const isText = fields.some((field) => field.name === name && field.kind === 'text');
  const change = (text: string) => {
    setDraft(text);
    const { [name]: _, ...rest } = input;
    onChange({ input: text === '' ? rest : { ...input, [name]: isText ? text : parseValue(text) } });
  };
  return (
    <>
      <Field label="Setting" className="sm:col-span-2">
        <Select value={name} options={[...labels].map(([value, label]) => ({ value, label }))} onChange={setChosen} />
      </Field>
      <Field
        label={`${labels.get(name)} as expression`}
        hint="Text with {{ JSONata }}. Available: input, steps, and for repeats item and index."
        className="sm:col-span-2"
      >
        <TextArea
          rows={1}
          value={draft ?? formatValue(input[name])}
          spellCheck={false}
          autoCapitalize="off"
          className="font-mono text-sm"
          onChange={(event) => change(event.target.value)}
          onBlur={() => setDraft(null)}
        />
      </Field>
    </>
  );
}

const toLabelEntry = ({ name, label }: FieldSpec) => [name, label] as const;

const formatValue = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));

/** JSON, such as a number or a list, or the text itself. */
function parseValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
