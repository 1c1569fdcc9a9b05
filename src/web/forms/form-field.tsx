import type { ComponentType } from 'react';
import type { FieldSpec } from '#contract/task.ts';
import { BooleanInput } from './fields/boolean-input.tsx';
import { ChoiceInput } from './fields/choice-input.tsx';
import { DateTimeInput } from './fields/datetime-input.tsx';
import { MediaField } from './fields/media-field.tsx';
import { NumberInput } from './fields/number-input.tsx';
import { TextInputField } from './fields/text-input-field.tsx';
import { lazyComponent } from '#web/ui/lazy-component.tsx';

/** Only tasks that work on one file have it. */
const ClipTimes = lazyComponent(async () => (await import('./fields/clip-times.tsx')).ClipTimes);

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
