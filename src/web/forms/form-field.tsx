import type { ComponentType } from 'react';
import type { BooleanFieldSpec, DateTimeFieldSpec, FieldSpec, NumberFieldSpec } from '#contract/task.ts';
import { formatDateTimeLocal, parseDateTimeLocal } from './datetime-local.ts';
import { ChoiceInput } from './fields/choice-input.tsx';
import { MediaField } from './fields/media-field.tsx';
import { TextInputField } from './fields/text-input-field.tsx';
import { RuleNotice } from './fields/rule-notice.tsx';
import { useField, useLockingRule } from './form-context.ts';
import { Switch } from '#web/ui/checkbox.tsx';
import { ErrorText, Field } from '#web/ui/field.tsx';
import { TextInput } from '#web/ui/text-input.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { lazyComponent } from '#web/ui/lazy-component.tsx';

const NumberInput = lazyComponent(async () => (await import('./fields/number-input.tsx')).NumberInput);
const ClipTimes = lazyComponent(async () => (await import('./fields/clip-times.tsx')).ClipTimes);

type Registry = { [K in FieldSpec['kind']]: ComponentType<{ field: Extract<FieldSpec, { kind: K }> }> };

const fieldRegistry = {
  text: TextInputField,
  choice: ChoiceInput,
  number: LazyNumberInput,
  integer: LazyNumberInput,
  boolean: BooleanInput,
  datetime: DateTimeInput,
  reference: ({ field }) => (
    <>
      <MediaField field={field} />
      <ClipTimes field={field} />
    </>
  ),
  references: MediaField,
} satisfies Registry;

export function FormField<F extends FieldSpec>({ field }: { field: F }) {
  // The table is exhaustive by type; the compiler cannot connect a key to its entry inside a generic function.
  const Input = fieldRegistry[field.kind] as ComponentType<{ field: F }>;
  return (
    <div data-field={field.name} className="flex min-w-0 scroll-my-4 flex-col gap-3">
      <Input field={field} />
    </div>
  );
}

/** As high as a label and a control, so that nothing moves when it loads. */
function LazyNumberInput({ field }: { field: NumberFieldSpec }) {
  return <NumberInput field={field} fallback={<Skeleton className="h-15.5 pointer-coarse:h-17.5" />} />;
}

function BooleanInput({ field }: { field: BooleanFieldSpec }) {
  const { value, error, onChange } = useField(field.name);
  const lock = useLockingRule(field);
  return (
    <div className="flex flex-col gap-1.5">
      <Switch
        checked={value === true}
        disabled={lock !== undefined}
        onChange={onChange}
        label={field.label}
        hint={lock?.message ?? field.help}
        name={field.name}
      />
      <ErrorText>{error?.message}</ErrorText>
      <RuleNotice field={field} />
    </div>
  );
}

function DateTimeInput({ field }: { field: DateTimeFieldSpec }) {
  const { value, error, onChange, onBlur } = useField(field.name);
  const lock = useLockingRule(field);
  return (
    <Field label={field.label} hint={lock?.message ?? field.help} error={error?.message} optional>
      <TextInput
        type="datetime-local"
        name={field.name}
        disabled={lock !== undefined}
        className="max-w-56"
        value={typeof value === 'string' ? formatDateTimeLocal(value) : ''}
        onChange={(event) => onChange(parseDateTimeLocal(event.target.value))}
        onBlur={onBlur}
      />
      <RuleNotice field={field} />
    </Field>
  );
}
