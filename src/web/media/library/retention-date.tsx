import { useQuery } from '@tanstack/react-query';
import { meQuery } from '#web/api/queries/me.ts';
import { ExactTime } from '#web/ui/display/relative-time.tsx';

export function RetentionDate({ at }: { at: string | null }) {
  const { data } = useQuery(meQuery);
  if (at === null) return 'Kept until deleted';
  const rule = formatRetention(data?.media?.kept_days);
  return (
    <>
      Kept until <ExactTime at={at} />
      {rule ? <span className="block text-xs text-ink-3">{rule}</span> : null}
    </>
  );
}

const DAY_MS = 86_400_000;
const SOON_DAYS = 3;

const formatDays = (count: number) => (count === 1 ? '1 day' : `${count} days`);

export const formatRetention = (keptDays: number | null | undefined): string | null =>
  keptDays ? `Files are removed ${formatDays(keptDays)} after they were created or uploaded.` : null;

/** "2 days left" for a file that is removed within three days, or as many as given; else null. */
export function formatTimeUntilRemoval(
  keptUntil: string | null | undefined,
  nowMs: number,
  withinDays = SOON_DAYS,
): string | null {
  if (!keptUntil) return null;
  const leftMs = Date.parse(keptUntil) - nowMs;
  if (!(leftMs < withinDays * DAY_MS)) return null;
  if (leftMs < DAY_MS) return leftMs < DAY_MS / 24 ? 'Removed within the hour' : 'Less than a day left';
  return `${formatDays(Math.floor(leftMs / DAY_MS))} left`;
}
