import type { NumberField, ReferenceField } from '#contract/task.ts';
import { useField, useForm } from '#web/forms/form-context.ts';
import { referencesOf } from '#web/forms/input-values.ts';
import { ownMediaSrc } from '#web/forms/media-info.ts';
import { onDemand } from '#web/ui/on-demand.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';

const ClipPlayer = onDemand(async () => (await import('#web/forms/fields/clip-player.tsx')).ClipPlayer);

/** The times of a video that are fields of the form, set on the video itself, once it is chosen. */
export function ClipTimes({ field }: { field: ReferenceField }) {
  const { form } = useForm();
  const { value } = useField(field.name);
  const times = form.contract.fields.filter(
    (each): each is NumberField => (each.kind === 'number' || each.kind === 'integer') && each.time_of === field.name,
  );
  const url = referencesOf(value)[0]?.url;
  if (url === undefined) return null;
  const src = ownMediaSrc(url);
  if (times.length === 0) return field.media === 'video' && field.group === 'main' && src ? <Plain src={src} /> : null;
  if (src === null)
    return <p className="text-sm text-ink-3">A video at another address has no preview: type the times below.</p>;
  return (
    <ClipPlayer key={src} src={src} times={times} fallback={<Skeleton className="aspect-video w-full rounded-md" />} />
  );
}

/** To see and hear what was chosen, where nothing is to be set on it. */
function Plain({ src }: { src: string }) {
  return (
    <video
      key={src}
      src={src}
      controls
      playsInline
      preload="metadata"
      aria-label="The video that was chosen"
      className="max-h-72 w-full rounded-md bg-black object-contain"
    />
  );
}
