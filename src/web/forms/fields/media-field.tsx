import { useState } from 'react';
import type { ReferenceFieldSpec, ReferencesFieldSpec } from '#contract/task.ts';
import { MediaSources } from './media-sources.tsx';
import { RuleNotice } from './rule-notice.tsx';
import { useMediaItems } from './use-media-items.ts';
import { formatReferenceCount, MEDIA_NOUNS } from '../format-field-value.ts';
import { listError } from '../field-errors.ts';
import { useField, useTaskForm, useFieldUploadItems } from '../form-context.ts';
import { isUploadPending } from '../field-uploads.ts';
import { cx } from '#web/ui/cx.ts';
import { Field } from '#web/ui/field.tsx';
import { lazyComponent } from '#web/ui/lazy-component.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { showToast } from '#web/ui/toast-store.ts';

// Most forms are submitted without a reference.
const ReferenceList = lazyComponent(async () => (await import('./reference-list.tsx')).MediaList);
const LinkInput = lazyComponent(async () => (await import('./link-input.tsx')).LinkInput);

function preloadControls() {
  ReferenceList.preload();
  LinkInput.preload();
}

type MediaSpec = ReferenceFieldSpec | ReferencesFieldSpec;

const formatItemLimit = (field: MediaSpec, count: number, max: number) => {
  if (field.kind === 'reference') return undefined;
  return count > 0 ? `${count} of ${max}` : `Up to ${max}`;
};

/** A field of references: dropped, pasted, uploaded, chosen from the library or added by URL. */
export function MediaField({ field }: { field: MediaSpec }) {
  const { tray } = useTaskForm();
  const { error } = useField(field.name);
  const sendings = useFieldUploadItems(field.name);
  const { items, max, room, add } = useMediaItems(field);
  const [linking, setLinking] = useState(false);
  const [over, setOver] = useState(false);
  const full = room <= 0;
  const empty = items.length + sendings.length === 0;
  const uploading = sendings.some(isUploadPending);
  const big = field.group === 'main';

  const send = (files: readonly File[]) => {
    const taken = files.slice(0, Math.max(0, room));
    if (files.length > taken.length)
      showToast({
        title: `${formatReferenceCount(field.media, files.length - taken.length)} left out`,
        detail: `${field.label} takes ${formatReferenceCount(field.media, max)} in all.`,
      });
    if (taken.length > 0) tray.add(field.name, field.media, taken);
  };
  const [one] = MEDIA_NOUNS[field.media];
  const message = field.kind === 'reference' ? error?.message : listError(error);
  return (
    <Field
      label={field.label}
      hint={field.help}
      // A file that is still uploading may be the one that is missing.
      error={uploading ? undefined : message}
      required={field.required === true}
      optional={field.required !== true}
      group
      aside={formatItemLimit(field, items.length, max)}
    >
      <div
        data-drop={full ? undefined : `into “${field.label}”`}
        onFocus={preloadControls}
        onPointerEnter={preloadControls}
        onDragOver={(event) => {
          if (full || !event.dataTransfer.types.includes('Files')) return;
          event.preventDefault();
          event.dataTransfer.dropEffect = 'copy';
          setOver(true);
        }}
        onDragLeave={(event) => {
          if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(false);
        }}
        onDrop={(event) => {
          setOver(false);
          if (full || event.dataTransfer.files.length === 0) return;
          event.preventDefault();
          event.stopPropagation();
          send([...event.dataTransfer.files]);
        }}
        className={cx(
          'rounded-md border border-dashed transition-colors',
          over ? 'border-amber bg-amber-soft' : 'border-line-strong',
          !empty && !(full && field.kind === 'reference') && 'p-1.5',
          full && field.kind === 'reference' && 'border-transparent',
        )}
      >
        {empty ? null : <ReferenceList field={field} fallback={<Skeleton className="h-14" />} />}
        {full ? null : (
          <MediaSources
            field={field}
            room={room}
            size={empty ? (big ? 'big' : 'row') : 'foot'}
            onFiles={send}
            onPick={(urls) => add(urls)}
            onLink={() => setLinking(true)}
          />
        )}
      </div>
      {linking ? (
        <LinkInput
          label={`URL of the ${one}`}
          media={field.media}
          fallback={<Skeleton className="h-21" />}
          onClose={() => setLinking(false)}
          onAdd={(url) => {
            add([url]);
            setLinking(false);
          }}
        />
      ) : null}
      <RuleNotice field={field} />
    </Field>
  );
}
