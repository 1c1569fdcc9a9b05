import { CircleAlert, Hourglass } from 'lucide-react';
import type { ReactNode } from 'react';
import { MediaThumbnail } from '#web/media/library/media-thumbnail.tsx';
import { GenerationThumbnail } from '#web/media/outputs/generation-thumbnail.tsx';
import { cx } from '#web/ui/cx.ts';
import { Progress, Spinner } from '#web/ui/progress.tsx';
import { statuses } from '#web/ui/status-badge.tsx';
import type { FeedItem } from './feed-entries.ts';

const SENDING = 'Sending…';

/** What a tile says beside its picture, or in place of it; null for a result that speaks for itself. */
export function describeFeedItem({ run, generation }: FeedItem): string | null {
  if (generation) {
    const { status, progress, error } = generation;
    if (status === 'queued') return 'Waiting';
    if (status === 'running') return progress === null ? 'Running' : `${Math.floor(progress * 100)}%`;
    if (status === 'failed') return error?.message ?? 'This failed';
    return status === 'succeeded' ? null : statuses[status].label;
  }
  if (run?.problem) return `${run.problem.unsure ? 'No response yet' : 'Not started'}. ${run.problem.message}`;
  return run?.request_id !== undefined && run.generation_id === null ? 'Waiting for approval' : SENDING;
}

interface FeedTileViewProps {
  item: FeedItem;
  /** One of a group: a problem is an icon without its text. */
  compact: boolean;
  width_px: number;
}

export function FeedTileView({ item, compact, width_px }: FeedTileViewProps) {
  const { run, generation } = item;
  const text = describeFeedItem(item);
  const asset = generation?.output.assets.find(({ removed_at }) => !removed_at);
  if (asset) {
    const count = generation?.output.assets.length ?? 1;
    return (
      <span className="relative">
        <MediaThumbnail medium={asset} width_px={width_px} cover />
        {count > 1 ? <Label>{count} files</Label> : text === null ? null : <Label>{text}</Label>}
      </span>
    );
  }
  if (generation && text === null) return <GenerationThumbnail generation={generation} className="size-full" />;
  const failed = run?.problem != null || generation?.status === 'failed';
  const isBusy = text === SENDING;
  return (
    <span className="flex min-w-0 flex-col items-center justify-center gap-2 p-3 text-center text-xs text-ink-2">
      <span className={cx('[&>svg]:size-5', failed ? 'text-bad' : 'text-ink-3')}>
        {generation ? (
          statuses[generation.status].icon
        ) : failed ? (
          <CircleAlert aria-hidden="true" />
        ) : isBusy ? (
          <Spinner />
        ) : (
          <Hourglass aria-hidden="true" />
        )}
      </span>
      {compact ? null : (
        <span className={cx('line-clamp-4 max-w-full wrap-anywhere tabular-nums', failed && 'text-ink')}>{text}</span>
      )}
      {generation?.status === 'running' ? (
        <Progress value={generation.progress} label="Progress" className="w-full max-w-24" />
      ) : null}
    </span>
  );
}

const Label = ({ children }: { children: ReactNode }) => (
  <span className="absolute bottom-1.5 left-1.5 rounded-sm bg-canvas px-1.5 py-0.5 text-xs text-ink-2">{children}</span>
);
