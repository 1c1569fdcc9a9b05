import { Ban } from 'lucide-react';
import { formatMoney } from '#contract/money/money.ts';
import { useCatalogNames } from '#web/api/catalog-names.ts';
import { formatMediaMeasures } from '#web/media/format-media.ts';
import { MediaTypeIcon, MediaThumbnail } from '#web/media/library/media-thumbnail.tsx';
import { MEDIA_TYPE_LABELS, mediaTitle } from '#web/media/library/media-labels.ts';
import { cx } from '#web/ui/cx.ts';
import { StatusBadge } from '#web/ui/display/status-badge.tsx';
import type { MediaLineage } from '#contract/resources/media-lineage.ts';

export type LineageNode = MediaLineage['nodes'][number];
type MediaNode = Extract<LineageNode, { kind: 'media' }>;
type GenerationNode = Extract<LineageNode, { kind: 'generation' }>;

const THUMB_PX = 56;

interface LineageCardProps {
  node: LineageNode;
  current: boolean;
  onOpen: (id: string) => void;
}

export function LineageCard({ node, current, onOpen }: LineageCardProps) {
  const look = cx(
    'flex h-full w-full min-w-0 items-center gap-3 overflow-hidden rounded-md border bg-surface pr-3 text-left text-sm',
    current ? 'border-amber outline-1 outline-amber' : 'border-line-strong',
  );
  if (node.kind === 'generation')
    return (
      <a href={`/generations/${node.id}`} data-node={node.id} className={cx(look, 'pl-3 hover:bg-hover')}>
        <GenerationSummary node={node} />
      </a>
    );
  const { media } = node;
  if (!media)
    return (
      <span className={cx(look, 'border-dashed text-ink-3')}>
        <span className="flex h-full w-14 flex-none items-center justify-center bg-sunken">
          <Ban aria-hidden="true" className="size-5 stroke-[1.5]" />
        </span>
        Deleted {MEDIA_TYPE_LABELS[node.type].toLowerCase()}
      </span>
    );
  const href = `/library?item=${media.id}&show=lineage`;
  return (
    <a
      href={href}
      data-node={node.id}
      aria-current={current || undefined}
      className={cx(look, 'hover:bg-hover')}
      onClick={(event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey) return;
        event.preventDefault();
        onOpen(media.id);
      }}
    >
      <MediaSummary node={node} media={media} current={current} />
    </a>
  );
}

function GenerationSummary({ node }: { node: GenerationNode }) {
  const names = useCatalogNames();
  const { task, model, prompt, status, amount_usd, external_references: externalCount } = node;
  const free = Number(amount_usd) === 0;
  return (
    <span className="min-w-0 flex-1">
      <span className="flex items-baseline gap-2">
        <span className="min-w-0 flex-1 truncate font-medium">{model ? names.model(model) : names.task(task)}</span>
        <span className="text-xs text-ink-2 tabular-nums">{free ? 'Free' : formatMoney(amount_usd)}</span>
      </span>
      <span className="flex items-center gap-2">
        <span dir="auto" className="min-w-0 flex-1 truncate text-xs text-ink-3">
          {prompt ?? (model ? names.task(task) : 'Tool')}
          {externalCount > 0 ? ` · ${externalCount} external` : ''}
        </span>
        {status === 'succeeded' ? null : <StatusBadge status={status} />}
      </span>
    </span>
  );
}

function MediaSummary({
  node,
  media,
  current,
}: {
  node: MediaNode;
  media: NonNullable<MediaNode['media']>;
  current: boolean;
}) {
  const names = useCatalogNames();
  const dimensions = formatMediaMeasures({ ...media, name: null });
  return (
    <>
      <span className="relative h-full w-14 flex-none overflow-hidden bg-sunken">
        {media.type === 'audio' ? (
          <MediaTypeIcon type="audio" />
        ) : (
          <MediaThumbnail medium={media} widthPx={THUMB_PX} cover />
        )}
      </span>
      <span className="min-w-0 flex-1">
        <span dir="auto" className="block truncate font-medium">
          {mediaTitle(media, names)}
        </span>
        <span className="block truncate text-xs text-ink-3 tabular-nums">
          {current ? 'This file · ' : node.origin === 'upload' ? 'Uploaded · ' : ''}
          {dimensions || MEDIA_TYPE_LABELS[node.type]}
        </span>
      </span>
    </>
  );
}
