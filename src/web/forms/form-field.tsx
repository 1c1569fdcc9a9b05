import type { ComponentType } from 'react';
import type { BooleanFieldSpec, DateTimeFieldSpec, FieldSpec } from '#contract/task.ts';
import { formatDateTimeLocal, parseDateTimeLocal } from './datetime-local.ts';
import { ChoiceInput } from './fields/choice-input.tsx';
import { MediaField } from './fields/media-field.tsx';
import { NumberInput } from './fields/number-input.tsx';
import { TextInputField } from './fields/text-input-field.tsx';
import { useField } from './form-context.ts';
import { Switch } from '#web/ui/checkbox.tsx';
import { ErrorText, Field } from '#web/ui/field.tsx';
import { TextInput } from '#web/ui/text-input.tsx';
import { lazyComponent } from '#web/ui/lazy-component.tsx';

const ClipTimes = lazyComponent(async () => (await import('./fields/clip-times.tsx')).ClipTimes);

type Registry = { [K in FieldSpec['kind']]: ComponentType<{ field: Extract<FieldSpec, { kind: K }> }> };

const fieldRegistry = {
  text: TextInputField,
  choice: ChoiceInput,
  number: NumberInput,
  integer: NumberInput,
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

function BooleanInput({ field }: { field: BooleanFieldSpec }) {
  const { value, error, onChange } = useField(field.name);
  return (
    <div className="flex flex-col gap-1.5">
      <Switch checked={value === true} onChange={onChange} label={field.label} hint={field.help} name={field.name} />
      <ErrorText>{error?.message}</ErrorText>
    </div>
  );
}

function DateTimeInput({ field }: { field: DateTimeFieldSpec }) {
  const { value, error, onChange, onBlur } = useField(field.name);
  return (
    <Field label={field.label} hint={field.help} error={error?.message} optional>
      <TextInput
        type="datetime-local"
        name={field.name}
        className="max-w-56"
        value={typeof value === 'string' ? formatDateTimeLocal(value) : ''}
        onChange={(event) => onChange(parseDateTimeLocal(event.target.value))}
        onBlur={onBlur}
      />
    </Field>
  );
}
