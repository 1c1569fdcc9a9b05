import { useId, useRef, useState } from 'react';
import type { Field as TaskField } from '#contract/task.ts';
import { FormField } from '#web/forms/field-registry.tsx';
import { valueWords } from '#web/forms/field-words.ts';
import { initialValue } from '#web/forms/input-values.ts';
import { Field } from '#web/ui/field.tsx';
import { Select } from '#web/ui/select.tsx';
import { TextInput } from '#web/ui/text-input.tsx';
import { useEditor, useEditorState, useProblem } from '../editor-context.ts';
import type { EditorStep } from '../editor-state.ts';
import { wholeExpression } from '../expressions.ts';
import { InsertMenu } from './insert-menu.tsx';
import { ListSources } from './list-sources.tsx';
import {
  EXPRESSION,
  FIXED,
  handWritten,
  isNeeded,
  LIST,
  NONE,
  optionOf,
  sourceOptions,
  valueOfOption,
} from './source-options.ts';

export interface StepFieldProps {
  field: TaskField;
  step: EditorStep;
  at: number;
}

/** One field of a step's task: where its value comes from, and where it is written by hand, the task's own control. */
export function StepField({ field, step, at }: StepFieldProps) {
  const editor = useEditor();
  const id = useId();
  const path = `steps.${at}.input.${field.name}`;
  const value = step.input[field.name];
  // An expression may say what could be pointed at as well.
  const [own, setOwn] = useState(false);
  const option = own && wholeExpression(value) !== null ? EXPRESSION : optionOf(value);
  const set = (next: unknown) => editor.changeStep(step.id, (now) => withField(now, field.name, next));
  const choose = (next: string) => {
    setOwn(next === EXPRESSION);
    if (next === NONE) set(undefined);
    else if (next === FIXED) set(handWritten(field));
    else if (next === LIST) set(asList(value));
    else if (next === EXPRESSION) set(`{{ ${wholeExpression(value) ?? ''} }}`);
    else set(valueOfOption(next));
  };
  const options = useOptions(field, step, option);
  return (
    <div data-path={path} className="grid gap-x-4 gap-y-2 sm:grid-cols-[minmax(0,1fr)_13rem]">
      <div className="min-w-0">
        {option === FIXED ? (
          <Written field={field} step={step} at={at} />
        ) : (
          <Elsewhere field={field} path={path} value={value} option={option} onChange={set} step={step} />
        )}
      </div>
      <div className="min-w-0 max-sm:order-first">
        <label htmlFor={id} className="sr-only">
          {field.label}: where from
        </label>
        <Select id={id} value={option} options={options} onChange={choose} className="sm:mt-6.5" />
      </div>
    </div>
  );
}

const withField = (step: EditorStep, name: string, value: unknown): EditorStep => {
  const { [name]: _, ...rest } = step.input;
  // What is there keeps its place among the others.
  if (value === undefined) return { ...step, input: rest };
  return { ...step, input: { ...step.input, [name]: value } };
};

/** One file as a list of one. */
function asList(value: unknown): unknown[] {
  if (Array.isArray(value)) return value;
  return wholeExpression(value) === null ? ['{{  }}'] : [value];
}

function useOptions(field: TaskField, step: EditorStep, option: string) {
  // Whatever an input or a step is called or makes, changes what can be chosen.
  const state = useEditorState((now) => now);
  const options = [
    ...(isNeeded(field) ? [] : [{ value: NONE, label: 'Left as it usually is' }]),
    { value: FIXED, label: 'media' in field ? 'Files chosen here' : 'Written here' },
    ...sourceOptions(field, state, step),
    ...(field.kind === 'references' ? [{ value: LIST, label: 'Several, one by one' }] : []),
    { value: EXPRESSION, label: 'An expression' },
  ];
  if (options.some(({ value }) => value === option)) return options;
  if (option === NONE) return [{ value: NONE, label: 'Nothing yet' }, ...options];
  return [...options, { value: option, label: option }];
}

/** Written by hand: with the control of the task's own form. */
function Written({ field, step, at }: StepFieldProps) {
  const box = useRef<HTMLDivElement>(null);
  return (
    <div ref={box} className="flex flex-col gap-1.5">
      <FormField field={field} />
      {field.kind === 'text' ? <InsertMenu field={field} step={step} at={at} box={box} /> : null}
    </div>
  );
}

interface ElsewhereProps {
  field: TaskField;
  step: EditorStep;
  path: string;
  value: unknown;
  option: string;
  onChange: (value: unknown) => void;
}

function Elsewhere({ field, step, path, value, option, onChange }: ElsewhereProps) {
  const problem = useProblem(path);
  const common = { label: field.label, hint: field.help, error: problem };
  if (option === EXPRESSION)
    return (
      <Field {...common} hint="JSONata. It sees input, steps, and in a list item and index.">
        <TextInput
          value={wholeExpression(value) ?? ''}
          spellCheck={false}
          autoCapitalize="off"
          className="font-mono text-sm"
          onChange={(event) => onChange(`{{ ${event.target.value} }}`)}
        />
      </Field>
    );
  if (option === LIST)
    return (
      <Field {...common} group>
        <ListSources field={field} step={step} items={Array.isArray(value) ? value : []} onChange={onChange} />
      </Field>
    );
  return (
    <Field {...common} group>
      <p className="min-h-9 content-center text-sm text-ink-2">{option === NONE ? usually(field) : taken(option)}</p>
    </Field>
  );
}

const usually = (field: TaskField) => {
  if (isNeeded(field)) return 'Nothing yet.';
  const value = initialValue(field);
  return 'media' in field ? 'None.' : `${valueWords(field, value)}.`;
};

const taken = (option: string) => (
  <>
    Taken from <code className="font-mono text-xs">{option}</code>.
  </>
);
