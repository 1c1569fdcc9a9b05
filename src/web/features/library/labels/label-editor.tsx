import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { X } from 'lucide-react';
import { useRef, useState } from 'react';
import { MAX_LABEL_LENGTH } from '#contract/limits.ts';
import type { MediaItem } from '#contract/resources/media.ts';
import { labelsQuery } from '#web/api/queries/media.ts';
import { useChangeLabels } from '#web/api/queries/media-mutations.ts';
import { tagsQuery } from '#web/api/queries/settings.ts';
import { useCan } from '#web/api/queries/permissions.ts';
import { formatFileCount } from '#web/media/library/media-labels.ts';
import { Button } from '#web/ui/button.tsx';
import { Combobox } from '#web/ui/combobox.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Field } from '#web/ui/field.tsx';
import { DescriptionList } from '#web/ui/section.tsx';
import { countLabels } from './common-labels.ts';

interface LabelEditorProps {
  media: readonly Pick<MediaItem, 'id' | 'labels' | 'generation'>[];
  /** A label leads to the files that have it. */
  showsLinks?: boolean;
}

/** The tags of files, to remove, and a field that adds one to all of them. */
export function LabelEditor(props: LabelEditorProps) {
  return <LabelFields {...props} editing={useLabelEditing(props.media)} />;
}

type LabelEditing = ReturnType<typeof useLabelEditing>;

function useLabelEditing(media: LabelEditorProps['media']) {
  const [text, setText] = useState('');
  const { mutate, isPending, error } = useChangeLabels();
  const mediaIds = media.map(({ id }) => id);
  const label = text.trim();
  return {
    text,
    setText,
    isPending,
    error: error?.message,
    /** Keeps the text where it is refused. */
    add(added = label, onAdded?: () => void) {
      if (isPending || added.trim() === '') return;
      const onSuccess = () => {
        setText('');
        onAdded?.();
      };
      mutate({ mediaIds, add: [added.trim()] }, { onSuccess });
    },
    remove: (removed: string) => mutate({ mediaIds, remove: [removed] }),
  };
}

function LabelFields({ media, showsLinks = false, editing }: LabelEditorProps & { editing: LabelEditing }) {
  const canChange = useCan('work.create');
  const labels = countLabels(media);
  return (
    <div className="flex flex-col gap-3">
      <OrderTags media={media} />
      {labels.length > 0 ? (
        <ul aria-label="Tags" className="flex flex-wrap gap-1.5">
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
      ) : canChange ? null : (
        <p className="text-sm text-ink-2">No tags.</p>
      )}
      {canChange ? <AddLabel editing={editing} /> : null}
    </div>
  );
}

/** What an order is charged to. It is chosen before and never changes, so that budgets and the ledger stay right. */
function OrderTags({ media }: Pick<LabelEditorProps, 'media'>) {
  const { data: tags = [] } = useQuery(tagsQuery);
  const rows = tags.flatMap(({ name, label }) => {
    const values = [...new Set(media.flatMap(({ generation }) => generation?.tags?.[name] ?? []))];
    return values.length > 0 ? [{ name: label, value: <bdi>{values.join(', ')}</bdi> }] : [];
  });
  if (rows.length === 0) return null;
  return (
    <div className="flex flex-col gap-1.5">
      <DescriptionList rows={rows} />
      <p className="text-sm text-pretty text-ink-3">
        Chosen with the order. Charges keep it: tags that you add here change no money.
      </p>
    </div>
  );
}

function AddLabel({ editing: { text, setText, isPending, error, add } }: { editing: LabelEditing }) {
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
          onCommit={(label) => {
            // Leaving the field adds nothing.
            if (field.current?.contains(document.activeElement)) add(label);
          }}
        />
      </Field>
      <Button busy={isPending} disabled={text.trim() === ''} onClick={() => add()}>
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
  const editing = useLabelEditing(media);
  return (
    <Dialog
      open
      size="sm"
      title="Tags"
      description={formatFileCount(media.length)}
      onClose={onClose}
      footer={
        <Button
          variant="primary"
          busy={editing.isPending}
          onClick={() => (editing.text.trim() === '' ? onClose() : editing.add(undefined, onClose))}
        >
          Done
        </Button>
      }
    >
      <LabelFields media={media} editing={editing} />
    </Dialog>
  );
}
