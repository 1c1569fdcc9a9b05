import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { X } from 'lucide-react';
import { useRef, useState } from 'react';
import { MAX_LABEL_LENGTH } from '#contract/limits.ts';
import type { MediaItem } from '#contract/resources/media.ts';
import { labelsQuery } from '#web/api/queries/media.ts';
import { useChangeLabels } from '#web/api/queries/media-mutations.ts';
import { useCan } from '#web/api/queries/permissions.ts';
import { formatFileCount } from '#web/media/library/media-labels.ts';
import { Button } from '#web/ui/button.tsx';
import { Combobox } from '#web/ui/combobox.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Field } from '#web/ui/field.tsx';
import { countLabels } from './common-labels.ts';

interface LabelEditorProps {
  media: readonly Pick<MediaItem, 'id' | 'labels'>[];
  /** A label leads to the files that have it. */
  showsLinks?: boolean;
}

/** The labels of files, to remove, and a field that adds one to all of them. */
export function LabelEditor({ media, showsLinks = false }: LabelEditorProps) {
  const canChange = useCan('work.create');
  const { mutate, isPending, error } = useChangeLabels();
  const mediaIds = media.map(({ id }) => id);
  const labels = countLabels(media);
  return (
    <div className="flex flex-col gap-3">
      {labels.length > 0 ? (
        <ul aria-label="Labels" className="flex flex-wrap gap-1.5">
          {labels.map(({ label, count }) => (
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
              {count < media.length ? <span className="text-xs text-ink-3 tabular-nums">{count}</span> : null}
              {canChange ? (
                <button
                  type="button"
                  aria-label={`Remove label ${label}`}
                  disabled={isPending}
                  onClick={() => mutate({ mediaIds, remove: [label] })}
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
      ) : canChange ? null : (
        <p className="text-sm text-ink-2">No labels.</p>
      )}
      {canChange ? (
        <AddLabel
          error={error?.message}
          busy={isPending}
          onAdd={(label, onAdded) => mutate({ mediaIds, add: [label] }, { onSuccess: onAdded })}
        />
      ) : null}
    </div>
  );
}

interface AddLabelProps {
  error: string | undefined;
  busy: boolean;
  onAdd: (label: string, onAdded: () => void) => void;
}

function AddLabel({ error, busy, onAdd }: AddLabelProps) {
  const [text, setText] = useState('');
  const { data: options = [] } = useQuery(labelsQuery(text.trim()));
  const field = useRef<HTMLDivElement>(null);
  const add = (label: string) => {
    if (busy || label.trim() === '') return;
    onAdd(label.trim(), () => setText(''));
  };
  return (
    <div ref={field} className="flex items-end gap-2">
      <Field label="Add a label" error={error} className="flex-1">
        <Combobox
          value={text}
          options={options}
          maxLength={MAX_LABEL_LENGTH}
          onChange={setText}
          onCommit={(label) => {
            // Leaving the field adds nothing.
            if (field.current?.contains(document.activeElement)) add(label);
          }}
        />
      </Field>
      <Button busy={busy} disabled={text.trim() === ''} onClick={() => add(text)}>
        Add
      </Button>
    </div>
  );
}

interface LabelsDialogProps {
  media: LabelEditorProps['media'];
  onClose: () => void;
}

export function LabelsDialog({ media, onClose }: LabelsDialogProps) {
  return (
    <Dialog
      open
      size="sm"
      title="Labels"
      description={formatFileCount(media.length)}
      onClose={onClose}
      footer={
        <Button variant="primary" onClick={onClose}>
          Done
        </Button>
      }
    >
      <LabelEditor media={media} />
    </Dialog>
  );
}
