import type { ReactNode } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import type { Generation } from '#contract/resources/generation.ts';
import { useCatalogNames } from '#web/api/catalog-names.ts';
import { FormDialog, type FormDialogProps } from '#web/forms/form-dialog.tsx';
import { summarizeInput } from '#web/forms/inputs/describe-input.ts';
import { Field } from '#web/ui/controls/field.tsx';
import { TextArea } from '#web/ui/controls/text-input.tsx';

const NOTE_MAX_LENGTH = 1000;

/** The fields of a decision. `upload_ids` is empty unless uploaded files are the result. */
export interface DecisionValues {
  upload_ids: string[];
  note: string;
}

export const EMPTY_DECISION: DecisionValues = { upload_ids: [], note: '' };

interface DecisionDialogProps extends Pick<
  FormDialogProps<DecisionValues>,
  'title' | 'submitLabel' | 'variant' | 'onSubmit' | 'onClose'
> {
  form: UseFormReturn<DecisionValues>;
  generation: Generation;
  placeholder: string;
  consequences: readonly string[];
  children?: ReactNode;
}

export function DecisionDialog({
  generation,
  placeholder,
  consequences,
  children,
  form,
  ...rest
}: DecisionDialogProps) {
  const { register, formState } = form;
  const names = useCatalogNames();
  return (
    <FormDialog form={form} description={summarizeInput(generation, names)} cancelLabel="Keep in review" {...rest}>
      {children}
      <div>
        <h3 className="mb-1.5 text-sm font-medium">What happens</h3>
        <ul className="flex list-disc flex-col gap-1 pl-4 text-sm text-ink-2 marker:text-ink-3">
          {consequences.map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
      </div>
      <Field
        label="Reason"
        hint="Saved with the decision. Administrators and auditors can read it."
        error={formState.errors.note?.message}
        required
      >
        <TextArea
          rows={2}
          maxLength={NOTE_MAX_LENGTH}
          placeholder={placeholder}
          {...register('note', { validate: (note) => note.trim() !== '' || 'Enter a reason.' })}
        />
      </Field>
    </FormDialog>
  );
}
