import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { X } from 'lucide-react';
import { useRef } from 'react';
import { MAX_LABEL_LENGTH } from '#contract/limits.ts';
import { labelsQuery } from '#web/api/queries/media.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { Combobox } from '#web/ui/controls/combobox.tsx';
import { Field } from '#web/ui/controls/field.tsx';

interface EditedTag {
  label: string;
  /** How many of several files have it. */
  count?: number | undefined;
}

interface TagEditorProps {
  tags: readonly EditedTag[];
  /** A tag leads to the files that have it. */
  showsLinks?: boolean;
  /** null: the role may not change them. */
  editing: {
    text: string;
    setText: (text: string) => void;
    add: (tag?: string) => void;
    remove: (tag: string) => void;
    isPending?: boolean;
    error?: string | undefined;
  } | null;
}

/** Tags of files, each with a button that removes it, and a field that adds one. */
export function TagEditor({ tags, showsLinks = false, editing }: TagEditorProps) {
  return (
    <>
      {tags.length > 0 ? (
        <ul aria-label="Tags" className="flex flex-wrap gap-1.5">
          {tags.map(({ label, count }) => (
            <li
              key={label}
              className="flex h-7 max-w-full items-center gap-1 rounded-sm bg-hover pl-2.5 text-sm text-ink-2 pointer-coarse:h-9"
            >
              {showsLinks ? (
                <Link
                  to="/library"
                  search={{ label }}
                  dir="auto"
                  className="min-w-0 truncate rounded-xs hover:text-ink"
                >
                  {label}
                </Link>
              ) : (
                <span dir="auto" className="min-w-0 truncate">
                  {label}
                </span>
              )}
              {count === undefined ? null : <span className="text-xs text-ink-3 tabular-nums">{count}</span>}
              {editing ? (
                <button
                  type="button"
                  aria-label={`Remove tag ${label}`}
                  disabled={editing.isPending}
                  onClick={() => editing.remove(label)}
                  className="flex h-full items-center rounded-sm px-1.5 hover:text-ink"
                >
                  <X aria-hidden="true" className="size-3.5" />
                </button>
              ) : (
                <span className="w-1.5" />
              )}
            </li>
          ))}
        </ul>
      ) : editing ? null : (
        <p className="text-sm text-ink-2">No tags.</p>
      )}
      {editing ? <AddTag {...editing} /> : null}
    </>
  );
}

function AddTag({ text, setText, add, isPending = false, error }: NonNullable<TagEditorProps['editing']>) {
  const { data: options = [] } = useQuery(labelsQuery(text.trim()));
  const field = useRef<HTMLDivElement>(null);
  return (
    <div ref={field} className="flex items-end gap-2">
      <Field label="Add a tag" error={error} className="flex-1">
        <Combobox
          value={text}
          options={options}
          maxLength={MAX_LABEL_LENGTH}
          onChange={setText}
          onCommit={(tag) => {
            // Leaving the field adds nothing.
            if (field.current?.contains(document.activeElement)) add(tag);
          }}
        />
      </Field>
      <Button busy={isPending} disabled={text.trim() === ''} onClick={() => add()}>
        Add
      </Button>
    </div>
  );
}
