const DAY_MS = 86_400_000;
const SOON_DAYS = 3;

const formatDays = (count: number) => (count === 1 ? '1 day' : `${count} days`);

/** What is said of all media: "Files are removed 30 days after they were made or uploaded." Null where they are kept. */
export const formatRetention = (kept_days: number | null | undefined): string | null =>
  kept_days ? `Files are removed ${formatDays(kept_days)} after they were made or uploaded.` : null;

/** How long a medium is still there, where that is not long: "2 days left". */
export function formatTimeUntilRemoval(kept_until: string | null | undefined, now_ms: number): string | null {
  if (!kept_until) return null;
  const left_ms = Date.parse(kept_until) - now_ms;
  if (!(left_ms < SOON_DAYS * DAY_MS)) return null;
  if (left_ms < DAY_MS) return left_ms < DAY_MS / 24 ? 'Removed within the hour' : 'Less than a day left';
  return `${formatDays(Math.floor(left_ms / DAY_MS))} left`;
}
