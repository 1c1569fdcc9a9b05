import type { ReactNode } from 'react';
import type { Generation } from '#contract/resources/generation.ts';
import { summaryOf } from '#web/inputs/describe-input.ts';
import { Field } from '#web/ui/field.tsx';
import { FormDialog, type FormDialogProps } from '#web/ui/form-dialog.tsx';
import { TextArea } from '#web/ui/text-area.tsx';

const LONGEST_NOTE = 1000;

/** Which case it is. */
export const caseWords = ({ task, model, input }: Generation) => summaryOf(task, model, input);

export interface DecisionDialogProps extends Pick<FormDialogProps, 'go' | 'variant' | 'busy' | 'problem' | 'onClose'> {
  title: string;
  generation: Generation;
  note: string;
  onNote: (note: string) => void;
  /** It was pressed without a note. */
  lacks_note: boolean;
  placeholder: string;
  /** What happens to money and files, a sentence each. */
  consequences: readonly string[];
  onSubmit: () => void;
  children?: ReactNode;
}

/** A decision to be confirmed: what it does, and why it is taken. */
export function DecisionDialog(props: DecisionDialogProps) {
  const { generation, note, onNote, lacks_note, placeholder, consequences, children, ...rest } = props;
  return (
    <FormDialog description={caseWords(generation)} keep="Keep it in review" {...rest}>
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
        label="Why?"
        hint="Kept with your key’s name, for everybody with an organization key."
        error={lacks_note ? 'Say why in a few words.' : undefined}
        required
      >
        <TextArea
          rows={2}
          maxLength={LONGEST_NOTE}
          placeholder={placeholder}
          value={note}
          onChange={(event) => onNote(event.target.value)}
        />
      </Field>
    </FormDialog>
  );
}
