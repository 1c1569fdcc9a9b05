import type { ReactNode } from 'react';
import { ErrorText, Field } from '#web/ui/field.tsx';
import { TextArea } from '#web/ui/text-area.tsx';

export const LONGEST_NOTE = 1000;

export interface DecisionFormProps {
  id: string;
  note: string;
  onNote: (note: string) => void;
  /** It was pressed without a note. */
  lacks_note: boolean;
  placeholder: string;
  /** What happens to money and files, a sentence each. */
  consequences: readonly string[];
  problem: string | null;
  onSubmit: () => void;
  children?: ReactNode;
}

/** A decision to be confirmed: what it does, and why it is taken. */
export function DecisionForm({
  id,
  note,
  onNote,
  lacks_note,
  placeholder,
  consequences,
  problem,
  onSubmit,
  children,
}: DecisionFormProps) {
  return (
    <form
      id={id}
      noValidate
      className="flex flex-col gap-5"
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
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
      <ErrorText>{problem}</ErrorText>
    </form>
  );
}
