import { type KeyboardEvent, useState } from 'react';
import { MAX_COLLECTION_DESCRIPTION_LENGTH, MAX_COLLECTION_NAME_LENGTH } from '#contract/limits.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { ErrorText } from '#web/ui/controls/field.tsx';
import { TextArea, TextInput } from '#web/ui/controls/text-input.tsx';

interface SavedText {
  error: string | null;
  busy: boolean;
  save: (text: string) => Promise<void>;
}

/** Saves a text in place; while it fails, the text stays in its field with the reason. */
function useSavedText(onSave: (text: string) => Promise<void>, onSaved: () => void): SavedText {
  const [error, setError] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const save = async (text: string) => {
    setBusy(true);
    try {
      await onSave(text);
      setError(null);
      onSaved();
    } catch (problem) {
      setError(problem instanceof Error ? problem.message : 'Not saved. Try again.');
    } finally {
      setBusy(false);
    }
  };
  return { error, busy, save };
}

interface CollectionNameProps {
  name: string;
  editing: boolean;
  onSave: (name: string) => Promise<void>;
  onClose: () => void;
}

/** The heading, or a field in its place. Enter saves, Escape cancels. */
export function CollectionName({ name, editing, onSave, onClose }: CollectionNameProps) {
  return editing ? (
    <NameField name={name} onSave={onSave} onClose={onClose} />
  ) : (
    <h1
      tabIndex={-1}
      dir="auto"
      className="min-w-0 text-xl font-semibold tracking-[-0.015em] wrap-anywhere outline-none"
    >
      {name}
    </h1>
  );
}

function NameField({ name, onSave, onClose }: Omit<CollectionNameProps, 'editing'>) {
  const [text, setText] = useState(name);
  const { error, busy, save } = useSavedText(onSave, onClose);
  const finish = () => {
    const next = text.trim();
    if (next === '' || next === name) onClose();
    else void save(next);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Enter') finish();
    if (event.key === 'Escape') {
      event.stopPropagation();
      onClose();
    }
  };
  return (
    <div className="flex w-full max-w-120 flex-col gap-1">
      <h1 className="sr-only">{name}</h1>
      <div className="flex gap-2">
        <TextInput
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- it takes the place of the button that was pressed
          autoFocus
          aria-label="Name of the collection"
          aria-invalid={error ? true : undefined}
          maxLength={MAX_COLLECTION_NAME_LENGTH}
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={onKeyDown}
          className="min-w-0 flex-1"
        />
        <Button variant="primary" busy={busy} onClick={finish}>
          Save
        </Button>
        <Button onClick={onClose}>Cancel</Button>
      </div>
      <ErrorText>{error}</ErrorText>
    </div>
  );
}

interface CollectionNotesProps {
  notes: string;
  canChange: boolean;
  onSave: (notes: string) => Promise<void>;
}

export function CollectionNotes({ notes, canChange, onSave }: CollectionNotesProps) {
  const [draft, setDraft] = useState<string | null>(null);
  const { error, busy, save } = useSavedText(onSave, () => setDraft(null));
  if (draft === null)
    return (
      <div className="flex flex-wrap items-baseline gap-x-5">
        {notes ? (
          <p dir="auto" className="max-w-prose min-w-0 text-sm wrap-anywhere whitespace-pre-wrap text-ink-2">
            {notes}
          </p>
        ) : null}
        {canChange ? (
          <Button size="sm" variant="ghost" className="-ml-2.5" onClick={() => setDraft(notes)}>
            {notes ? 'Edit notes' : 'Add notes'}
          </Button>
        ) : null}
      </div>
    );
  return (
    <div className="mt-1 flex max-w-prose flex-col gap-2">
      <TextArea
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- it takes the place of the button that was pressed
        autoFocus
        rows={2}
        aria-label="Notes"
        aria-invalid={error ? true : undefined}
        maxLength={MAX_COLLECTION_DESCRIPTION_LENGTH}
        value={draft}
        onChange={(event) => setDraft(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return;
          event.stopPropagation();
          if (draft === notes) setDraft(null);
        }}
      />
      <ErrorText>{error}</ErrorText>
      <div className="flex gap-2">
        <Button size="sm" variant="primary" busy={busy} onClick={() => void save(draft.trim())}>
          Save notes
        </Button>
        <Button size="sm" onClick={() => setDraft(null)}>
          Cancel
        </Button>
      </div>
    </div>
  );
}
