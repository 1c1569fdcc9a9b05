import type { NumberField, ReferenceField } from '#contract/task.ts';
import { useField, useForm } from '#web/forms/form-context.ts';
import { referencesOf } from '#web/forms/input-values.ts';
import { ownMediaSrc, useMediaInfo } from '#web/forms/media-info.ts';
import { onDemand } from '#web/ui/on-demand.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';

const ClipPlayer = onDemand(async () => (await import('#web/forms/fields/clip-player.tsx')).ClipPlayer);
const VideoPlayer = onDemand(async () => (await import('#web/player/video-player.tsx')).VideoPlayer);

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
  if (times.length === 0) return field.media === 'video' && field.group === 'main' && src ? <Plain url={url} /> : null;
  if (src === null)
    return <p className="text-sm text-ink-3">Videos from a URL have no preview. Enter the times below.</p>;
  return (
    <ClipPlayer key={src} src={src} times={times} fallback={<Skeleton className="aspect-video w-full rounded-md" />} />
  );
}

/** The chosen video, where no time is to be set on it. */
function Plain({ url }: { url: string }) {
  const info = useMediaInfo(url);
  const video = { url, width: info?.width ?? null, height: info?.height ?? null, derivatives: info?.derivatives };
  return <VideoPlayer key={url} video={video} label="The chosen video" max_height="18rem" />;
}
