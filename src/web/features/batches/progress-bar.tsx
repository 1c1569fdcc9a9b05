import type { BatchOrderStatus } from '#contract/statuses.ts';
import type { Batch } from '#contract/resources/batch.ts';
import { cx } from '#web/ui/cx.ts';

const SEGMENTS = [
  ['succeeded', 'bg-good'],
  ['manual_review', 'bg-review'],
  ['failed', 'bg-bad'],
  ['canceled', 'bg-edge'],
  ['active', 'bg-amber'],
] as const satisfies readonly [BatchOrderStatus, string][];

export const doneCount = ({ total, waiting, active }: Batch['counts']): number => total - waiting - active;

/** Shows how many orders are done, and how they ended. Screen readers read the text beside it. */
export function BatchProgressBar({ counts, className }: Pick<Batch, 'counts'> & { className?: string }) {
  return (
    <span aria-hidden="true" className={cx('flex overflow-hidden rounded-full bg-press', className)}>
      {SEGMENTS.map(([status, color]) =>
        counts[status] > 0 ? (
          <span
            key={status}
            className={cx('h-full transition-[width]', color)}
            style={{ width: `${(counts[status] / counts.total) * 100}%` }}
          />
        ) : null,
      )}
    </span>
  );
}
