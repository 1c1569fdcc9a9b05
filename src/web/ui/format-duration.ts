/** Formats the time between two ISO 8601 dates: "0.4 s", "12 s", "3 min 20 s"; null where one is missing. */
export function formatDuration(started_at: string | null, ended_at: string | null): string | null {
  if (started_at === null || ended_at === null) return null;
  const seconds = (Date.parse(ended_at) - Date.parse(started_at)) / 1000;
  if (!Number.isFinite(seconds) || seconds < 0) return null;
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  const minutes = Math.floor(whole / 60);
  if (minutes >= 60) return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
  return whole % 60 ? `${minutes} min ${whole % 60} s` : `${minutes} min`;
}
