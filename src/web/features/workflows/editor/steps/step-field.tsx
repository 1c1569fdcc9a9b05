import { useId, useRef, useState } from 'react';
import type { FieldSpec as TaskField } from '#contract/task.ts';
import { FormField } from '#web/forms/form-field.tsx';
import { formatFieldValue } from '#web/forms/format-field-value.ts';
import { initialValue } from '#web/forms/form-values.ts';
import { Field } from '#web/ui/field.tsx';
import { Select } from '#web/ui/select.tsx';
import { TextInput } from '#web/ui/text-input.tsx';
import { useEditor, useEditorState, useProblem } from '../editor-context.ts';
import type { EditorStep } from '../editor-state.ts';
import { wholeExpression } from '../expressions.ts';
import { InsertExpressionMenu } from './insert-expression-menu.tsx';
import { SourceList } from './source-list.tsx';
import {
  EXPRESSION_SOURCE,
  FIXED_SOURCE,
  defaultFixedValue,
  isRequiredField,
  LIST_SOURCE,
  NO_SOURCE,
  valueToOption,
  sourceOptions,
  optionToValue,
} from './source-options.ts';

export interface StepFieldProps {
  field: TaskField;
  step: EditorStep;
  at: number;
}

export function StepField({ field, step, at }: StepFieldProps) {
  const editor = useEditor();
  const id = useId();
  const path = `steps.${at}.input.${field.name}`;
  const value = step.input[field.name];
  // An expression can equal one of the other options.
  const [isCustom, setCustom] = useState(false);
  const option = isCustom && wholeExpression(value) !== null ? EXPRESSION_SOURCE : valueToOption(value);
  const set = (next: unknown) => editor.changeStep(step.id, (now) => setField(now, field.name, next));
  const changeSource = (next: string) => {
    setCustom(next === EXPRESSION_SOURCE);
    if (next === NO_SOURCE) set(undefined);
    else if (next === FIXED_SOURCE) set(defaultFixedValue(field));
    else if (next === LIST_SOURCE) set(toList(value));
    else if (next === EXPRESSION_SOURCE) set(`{{ ${wholeExpression(value) ?? ''} }}`);
    else set(optionToValue(next));
  };
  const options = useSourceOptions(field, step, option);
  return (
    <div data-path={path} className="grid gap-x-4 gap-y-2 sm:grid-cols-[minmax(0,1fr)_13rem]">
      <div className="min-w-0">
        {option === FIXED_SOURCE ? (
          <FixedValueField field={field} step={step} at={at} />
        ) : (
          <SourcedValueField field={field} path={path} value={value} option={option} onChange={set} step={step} />
        )}
      </div>
      <div className="min-w-0">
        <label htmlFor={id} className="sr-only">
          {field.label} source
        </label>
        <Select id={id} value={option} options={options} onChange={changeSource} className="sm:mt-6.5" />
      </div>
    </div>
  );
}

const setField = (step: EditorStep, name: string, value: unknown): EditorStep => {
  const { [name]: _, ...rest } = step.input;
  // Existing keys keep their position.
  if (value === undefined) return { ...step, input: rest };
  return { ...step, input: { ...step.input, [name]: value } };
};

function toList(value: unknown): unknown[] {
  if (Array.isArray(value)) return value;
  return wholeExpression(value) === null ? ['{{  }}'] : [value];
}

function useSourceOptions(field: TaskField, step: EditorStep, option: string) {
  // The options depend on the names and tasks of all parts.
  const state = useEditorState((now) => now);
  const options = [
    ...(isRequiredField(field) ? [] : [{ value: NO_SOURCE, label: 'Default' }]),
    { value: FIXED_SOURCE, label: 'media' in field ? 'Fixed files' : 'Fixed value' },
    ...sourceOptions(field, state, step),
    ...(field.kind === 'references' ? [{ value: LIST_SOURCE, label: 'List' }] : []),
    { value: EXPRESSION_SOURCE, label: 'Expression' },
  ];
  if (options.some(({ value }) => value === option)) return options;
  if (option === NO_SOURCE) return [{ value: NO_SOURCE, label: 'Not set' }, ...options];
  return [...options, { value: option, label: option }];
}

function FixedValueField({ field, step, at }: StepFieldProps) {
  const box = useRef<HTMLDivElement>(null);
  return (
    <div ref={box} className="flex flex-col gap-1.5">
      <FormField field={field} />
      {field.kind === 'text' ? <InsertExpressionMenu field={field} step={step} at={at} box={box} /> : null}
    </div>
  );
}

interface SourcedValueFieldProps {
  field: TaskField;
  step: EditorStep;
  path: string;
  value: unknown;
  option: string;
  onChange: (value: unknown) => void;
}

function SourcedValueField({ field, step, path, value, option, onChange }: SourcedValueFieldProps) {
  const problem = useProblem(path);
  const common = { label: field.label, hint: field.help, error: problem };
  if (option === EXPRESSION_SOURCE)
    return (
      <Field {...common} hint="JSONata. Available: input, steps, and for repeats item and index.">
        <TextInput
          value={wholeExpression(value) ?? ''}
          spellCheck={false}
          autoCapitalize="off"
          className="font-mono text-sm"
          onChange={(event) => onChange(`{{ ${event.target.value} }}`)}
        />
      </Field>
    );
  if (option === LIST_SOURCE)
    return (
      <Field {...common} group>
        <SourceList field={field} step={step} items={Array.isArray(value) ? value : []} onChange={onChange} />
      </Field>
    );
  return (
    <Field {...common} group>
      <p className="min-h-9 content-center text-sm text-ink-2">
        {option === NO_SOURCE ? describeDefault(field) : describeSource(option)}
      </p>
    </Field>
  );
}

const describeDefault = (field: TaskField) => {
  if (isRequiredField(field)) return 'Not set.';
  const value = initialValue(field);
  return 'media' in field ? 'None.' : `${formatFieldValue(field, value)}.`;
};

const describeSource = (option: string) => (
  <>
    Uses <code className="font-mono text-xs">{option}</code>.
  </>
);
