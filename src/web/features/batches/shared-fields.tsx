import { memo } from 'react';
import type { FieldUploads } from '#web/forms/field-uploads.ts';
import type { InputForm } from '#web/forms/input-form.ts';
import { TaskForm } from '#web/forms/task-form.tsx';
import { lazyComponent } from '#web/ui/lazy-component.tsx';

const TagFields = lazyComponent(async () => (await import('#web/forms/tags/tag-fields.tsx')).TagFields);

const ignoreSubmit = () => undefined;

interface SharedFieldsProps {
  form: InputForm;
  uploads: FieldUploads;
}

/** The fields with one value for all orders. Enter starts nothing: it is too easy to press for a whole list. */
export const SharedFields = memo(function SharedFields({ form, uploads }: SharedFieldsProps) {
  return (
    <TaskForm form={form} uploads={uploads} signed_in label="The same for every order" onSubmit={ignoreSubmit}>
      {form.contract.fields.length === 0 ? (
        <p className="text-sm text-ink-3">Every field is filled by a column.</p>
      ) : null}
      <TagFields />
    </TaskForm>
  );
});
