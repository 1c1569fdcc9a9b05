import type { ComponentType } from 'react';
import type { FieldSpec } from '#contract/task.ts';
import { BooleanInput } from '#web/forms/fields/boolean-input.tsx';
import { ChoiceInput } from '#web/forms/fields/choice-field.tsx';
import { ClipTimes } from '#web/forms/fields/clip-times.tsx';
import { DateTimeInput } from '#web/forms/fields/datetime-input.tsx';
import { MediaField } from '#web/forms/fields/media-field.tsx';
import { NumberInput } from '#web/forms/fields/number-input.tsx';
import { TextInputField } from '#web/forms/fields/text-input-field.tsx';

type Registry = { [K in FieldSpec['kind']]: ComponentType<{ field: Extract<FieldSpec, { kind: K }> }> };

/** The component of every kind of field. */
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

/** A field of a form, by its kind. */
export function FormField<F extends FieldSpec>({ field }: { field: F }) {
  // The table is exhaustive by type; the compiler cannot tie a key to its own entry inside a generic.
  const Input = fieldRegistry[field.kind] as ComponentType<{ field: F }>;
  return (
    <div data-field={field.name} className="flex min-w-0 scroll-my-4 flex-col gap-3">
      <Input field={field} />
    </div>
  );
}
