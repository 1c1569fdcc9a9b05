import { useState, type DragEvent } from 'react';
import type { ReferenceFieldSpec, ReferencesFieldSpec, Rule, MediaKind } from '#contract/task.ts';
import { MediaSources } from './media-sources.tsx';
import { RuleNotice } from './rule-notice.tsx';
import { useMediaItems } from './use-media-items.ts';
import { formatReferenceCount } from '#web/forms/values/format-field-value.ts';
import { listError } from '#web/forms/values/field-errors.ts';
import { useField, useLockingRule, useTaskForm, useFieldUploadItems } from '../form-context.ts';
import { isUploadPending } from '../field-uploads.ts';
import { MEDIA_NOUNS } from '#web/media/format-media.ts';
import { cx } from '#web/ui/cx.ts';
import { Field } from '#web/ui/controls/field.tsx';
import { Skeleton } from '#web/ui/display/skeleton.tsx';
import { showToast } from '#web/ui/overlays/toast-store.ts';
import { lazyComponent } from '#web/ui/lazy-component.tsx';
import { LinkInput } from './link-input.tsx';
import { draggedKind, readDraggedMedia, useDraggedKind } from '#web/media/media-drop.ts';

const MaskButton = lazyComponent(async () => (await import('./mask-button.tsx')).MaskButton);
const ReferenceList = lazyComponent(async () => (await import('./reference-list.tsx')).ReferenceList);

type MediaSpec = ReferenceFieldSpec | ReferencesFieldSpec;

const formatItemLimit = (field: MediaSpec, count: number, max: number) => {
  if (field.kind === 'reference') return undefined;
  if (max === 0) return undefined;
  return count > 0 ? `${count} of ${max}` : `Up to ${max}`;
};

const dropHint = (problem: string | null) =>
  problem === null ? undefined : <span className="font-medium text-amber-text">{problem}</span>;

/** Why media of the right kind can't be dropped. A single one is replaced. */
function dropProblem(field: MediaSpec, max: number, room: number, lock: Rule | undefined): string | null {
  if (max === 0) return lock?.message ?? `${field.label} can’t be used with the other settings.`;
  if (room > 0 || field.kind === 'reference') return null;
  return `${field.label} is full. Remove one first.`;
}

export function MediaField({ field }: { field: MediaSpec }) {
  const { uploads } = useTaskForm();
  const { error, onBlur } = useField(field.name);
  const lock = useLockingRule(field);
  const uploadItems = useFieldUploadItems(field.name);
  const { items, max, room, add, setItems } = useMediaItems(field);
  const [showsLinkInput, setShowsLinkInput] = useState(false);
  const [isDragOver, setIsDragOver] = useState(false);
  const maskField = field.kind === 'reference' && field.mask ? field : null;
  const isFull = room <= 0;
  const isEmpty = items.length + uploadItems.length === 0;
  const isUploading = uploadItems.some(isUploadPending);
  const drop = useMediaDrop({
    label: field.label,
    media: field.media,
    problem: dropProblem(field, max, room, lock),
    onDrop: (url) => {
      if (field.kind === 'references') return add([url]);
      setItems([{ url }]);
      onBlur();
    },
  });

  const upload = (files: readonly File[]) => {
    const accepted = files.slice(0, Math.max(0, room));
    if (files.length > accepted.length)
      showToast({
        title: `${formatReferenceCount(field.media, files.length - accepted.length)} not added`,
        detail: `${field.label} accepts up to ${formatReferenceCount(field.media, max)}.`,
      });
    if (accepted.length > 0) uploads.add(field.name, field.media, accepted);
  };
  const message = field.kind === 'reference' ? error?.message : listError(error);
  return (
    <Field
      label={field.label}
      hint={dropHint(drop.problem) ?? lock?.message ?? (field.group === 'frames' ? undefined : field.help)}
      // The missing file may still be uploading.
      error={isUploading ? undefined : message}
      required={field.required === true}
      optional={field.required !== true}
      group
      aside={formatItemLimit(field, items.length, max)}
    >
      <div
        data-drop={isFull ? undefined : `into “${field.label}”`}
        onFocus={ReferenceList.preload}
        onPointerEnter={ReferenceList.preload}
        {...drop.handlers}
        onDragOver={(event) => {
          drop.handlers.onDragOver(event);
          if (isFull || !event.dataTransfer.types.includes('Files')) return;
          event.preventDefault();
          event.dataTransfer.dropEffect = 'copy';
          setIsDragOver(true);
        }}
        onDragLeave={(event) => {
          drop.handlers.onDragLeave(event);
          if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setIsDragOver(false);
        }}
        onDrop={(event) => {
          drop.handlers.onDrop(event);
          setIsDragOver(false);
          if (isFull || event.dataTransfer.files.length === 0) return;
          event.preventDefault();
          event.stopPropagation();
          upload([...event.dataTransfer.files]);
        }}
        className={cx(
          'rounded-md border border-dashed transition-colors',
          isDragOver || drop.isOver
            ? 'border-amber bg-amber-soft'
            : drop.isTarget
              ? 'border-amber'
              : 'border-line-strong',
          !isEmpty && !(isFull && field.kind === 'reference') && 'p-1.5',
          isFull && field.kind === 'reference' && !drop.isTarget && 'border-transparent',
          isFull && isEmpty && 'hidden',
        )}
      >
        {isEmpty ? null : <ReferenceList field={field} fallback={<Skeleton className="h-14" />} />}
        {isFull ? null : (
          <MediaSources
            field={field}
            room={room}
            size={isEmpty ? (field.group === 'main' && !maskField ? 'big' : 'row') : 'foot'}
            onFiles={upload}
            onPick={add}
            onLink={() => setShowsLinkInput(true)}
          >
            {maskField ? <MaskButton field={maskField} /> : null}
          </MediaSources>
        )}
      </div>
      {showsLinkInput ? (
        <LinkInput
          label={`URL of the ${MEDIA_NOUNS[field.media][0]}`}
          media={field.media}
          onClose={() => setShowsLinkInput(false)}
          onAdd={(url) => {
            add([url]);
            setShowsLinkInput(false);
          }}
        />
      ) : null}
      <RuleNotice field={field} />
    </Field>
  );
}

interface MediaDropOptions {
  label: string;
  media: MediaKind;
  /** Why nothing can be added; null if it can. */
  problem: string | null;
  onDrop: (url: string) => void;
}

/** Lets media of the app be dropped on a field, and says why not where it does not take them. */
function useMediaDrop({ label, media, problem, onDrop }: MediaDropOptions) {
  const dragged = useDraggedKind();
  const [over, setOver] = useState<{ problem: string | null } | null>(null);
  const problemOf = (kind: MediaKind) =>
    kind === media ? problem : `${label} takes ${MEDIA_NOUNS[media][1]}, not ${MEDIA_NOUNS[kind][1]}.`;
  return {
    /** Whether a drop here is possible now. */
    isTarget: over ? over.problem === null : dragged === media && problem === null,
    isOver: over?.problem === null,
    problem: over?.problem ?? null,
    handlers: {
      onDragOver: (event: DragEvent) => {
        const kind = draggedKind(event.dataTransfer);
        if (!kind) return;
        const reason = problemOf(kind);
        if (over?.problem !== reason || !over) setOver({ problem: reason });
        if (reason !== null) return;
        event.preventDefault();
        event.dataTransfer.dropEffect = 'copy';
      },
      onDragLeave: (event: DragEvent) => {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(null);
      },
      onDrop: (event: DragEvent) => {
        setOver(null);
        const dropped = readDraggedMedia(event.dataTransfer);
        if (!dropped || problemOf(dropped.type) !== null) return;
        event.preventDefault();
        event.stopPropagation();
        onDrop(dropped.url);
      },
    },
  };
}
