import type { Activity } from '#contract/resources/activity.ts';

/** "about 20 s", "about 3 min", "about 2 h"; null while unknown. */
export function formatTimeLeft(seconds: number | null): string | null {
  if (seconds === null) return null;
  if (seconds < 55) return `about ${Math.max(5, Math.ceil(seconds / 5) * 5)} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 60 ? `about ${Math.max(1, minutes)} min` : `about ${Math.round(minutes / 60)} h`;
}

/** "2 running · 30 waiting". */
export const formatCounts = ({ running, queued }: Pick<Activity, 'running' | 'queued'>): string =>
  [running > 0 ? `${running} running` : '', queued > 0 ? `${queued} waiting` : ''].filter(Boolean).join(' · ');

type ActiveGeneration = Activity['generations'][number];

/** "34% · about 20 s", "Next in the queue · about 1 min", "12 ahead". */
export function describeActiveGeneration({ generation, queue_position, seconds_left }: ActiveGeneration): string {
  const { status, progress } = generation;
  const place =
    queue_position === null ? 'Waiting' : queue_position === 1 ? 'Next in the queue' : `${queue_position - 1} ahead`;
  const running = progress === null ? 'Running' : `${Math.floor(progress * 100)}%`;
  return [status === 'running' ? running : place, formatTimeLeft(seconds_left)].filter(Boolean).join(' · ');
}
