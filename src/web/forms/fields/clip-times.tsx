import type { NumberFieldSpec, ReferenceFieldSpec } from '#contract/task.ts';
import { useField, useTaskForm } from '../form-context.ts';
import { readReferences } from '../form-values.ts';
import { serviceMediaSrc } from '#web/api/reference-info.ts';
import { lazyComponent } from '#web/ui/lazy-component.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';

const ClipPlayer = lazyComponent(async () => (await import('./clip-player.tsx')).ClipPlayer);

export function ClipTimes({ field }: { field: ReferenceFieldSpec }) {
  const { form } = useTaskForm();
  const { value } = useField(field.name);
  const times = form.contract.fields.filter(
    (each): each is NumberFieldSpec =>
      (each.kind === 'number' || each.kind === 'integer') && each.time_of === field.name,
  );
  const url = readReferences(value)[0]?.url;
  if (url === undefined || (times.length === 0 && (field.media !== 'video' || field.group !== 'main'))) return null;
  if (serviceMediaSrc(url) !== null)
    return (
      <ClipPlayer
        key={url}
        url={url}
        times={times}
        fallback={<Skeleton className="aspect-video w-full rounded-md" />}
      />
    );
  if (times.length === 0) return null;
  return <p className="text-sm text-ink-3">Videos from a URL have no preview. Enter the times below.</p>;
}
