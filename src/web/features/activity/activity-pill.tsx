import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { activityQuery, refreshActivity } from '#web/api/queries/activity.ts';
import { cx } from '#web/ui/cx.ts';
import { lazyComponent } from '#web/ui/lazy-component.tsx';
import { Popover } from '#web/ui/overlays/popover.tsx';
import { Spinner } from '#web/ui/display/progress.tsx';
import { Skeleton } from '#web/ui/display/skeleton.tsx';
import { formatCounts, formatTimeLeft } from './activity-labels.ts';

const ActivityList = lazyComponent(async () => (await import('./activity-list.tsx')).ActivityList);

/** Shows on every page what runs and waits, and lists it in a popover. Hidden while nothing does. */
export function ActivityPill({ isCompact }: { isCompact: boolean }) {
  const client = useQueryClient();
  const { data } = useQuery(activityQuery);
  const [isOpen, setOpen] = useState(false);
  useEffect(() => refreshActivity(client), [client]);
  const count = data ? data.running + data.queued : 0;
  if (!data || (count === 0 && !isOpen)) return null;
  const counts = count === 0 ? 'Nothing is running' : formatCounts(data);
  const left = formatTimeLeft(data.seconds_left);
  return (
    <Popover
      side={isCompact ? 'bottom' : 'top'}
      align={isCompact ? 'end' : 'start'}
      aria-label="Activity"
      className="w-88 p-0"
      onOpenChange={setOpen}
      renderTrigger={(props) => (
        <button
          type="button"
          {...props}
          aria-label={`Activity: ${[counts, left].filter(Boolean).join(', ')}`}
          data-tooltip={isCompact ? undefined : [counts, left].filter(Boolean).join(' · ')}
          onPointerEnter={ActivityList.preload}
          onFocus={ActivityList.preload}
          className={cx(
            'flex items-center rounded-md border border-line bg-surface text-left text-xs tabular-nums transition-colors hover:border-line-strong',
            isCompact
              ? 'h-9 gap-1.5 px-2.5 font-medium pointer-coarse:h-10'
              : 'mb-2 min-h-11 w-full gap-2.5 px-2.5 py-1.5 max-xl:flex-col max-xl:justify-center max-xl:gap-0.5 max-xl:px-0',
          )}
        >
          <Spinner className="text-amber-text" />
          <span className={isCompact ? undefined : 'xl:hidden'}>{count}</span>
          {isCompact ? null : (
            <span className="min-w-0 max-xl:hidden">
              {/* The space keeps the words apart for programs that compare the text with the label. */}
              <span className="block truncate font-medium">{counts}</span>{' '}
              {left ? <span className="block truncate text-ink-3">{left}</span> : null}
            </span>
          )}
        </button>
      )}
    >
      {(close) => (
        <ActivityList activity={data} close={close} fallback={<Skeleton className="m-3 h-40 rounded-sm" />} />
      )}
    </Popover>
  );
}
