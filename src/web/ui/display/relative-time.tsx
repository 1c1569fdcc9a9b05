import { useSyncExternalStore } from 'react';
import { cx } from '#web/ui/cx.ts';
import { lazily } from '#web/ui/formats.ts';

const listeners = new Set<() => void>();
let nowMs = Date.now();
let timer: ReturnType<typeof setInterval> | undefined;

/** One clock for all times of a page; it ticks only while any is shown. */
function subscribe(listener: () => void) {
  listeners.add(listener);
  nowMs = Date.now();
  timer ??= setInterval(() => {
    nowMs = Date.now();
    for (const each of listeners) each();
  }, 15_000);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

const relativeFormat = lazily(() => new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'short' }));
const dayFormat = lazily(() => new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short' }));
const dayOfYearFormat = lazily(
  () => new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', year: 'numeric' }),
);
const exactFormat = lazily(() => new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'medium' }));

/**
 * Formats a time relative to another, both in milliseconds: "just now", "3 min. ago", "yesterday", then the date.
 * @param mayBeFuture false: the time is past, and a clock of the service that is ahead must not read as "in 5 sec."
 */
export function formatRelativeTime(atMs: number, fromMs: number, mayBeFuture = false): string {
  const seconds = (mayBeFuture ? atMs - fromMs : Math.min(0, atMs - fromMs)) / 1000;
  const size = Math.abs(seconds);
  if (size < 45) return seconds > 5 ? relativeFormat().format(Math.round(seconds), 'second') : 'just now';
  if (size < 3_570) return relativeFormat().format(Math.round(seconds / 60), 'minute');
  if (size < 84_600) return relativeFormat().format(Math.round(seconds / 3_600), 'hour');
  if (size < 6.5 * 86_400) return relativeFormat().format(Math.round(seconds / 86_400), 'day');
  const sameYear = new Date(atMs).getFullYear() === new Date(fromMs).getFullYear();
  return (sameYear ? dayFormat : dayOfYearFormat)().format(atMs);
}

interface RelativeTimeProps {
  at: string;
  /** For times such as an expiry. */
  mayBeFuture?: boolean;
  className?: string;
}

/** By Tab, unless a row or control around it takes the focus: only the tooltip has the exact time. */
function makeReachable(time: HTMLTimeElement | null) {
  if (time && !time.closest('tr, a, button, summary, label, [data-row-id]')) time.tabIndex = 0;
}

/** Shows a time (ISO 8601) relative to now; the tooltip has the exact local time. */
export function RelativeTime({ at, mayBeFuture = false, className }: RelativeTimeProps) {
  const fromMs = useSyncExternalStore(subscribe, () => nowMs);
  const atMs = Date.parse(at);
  if (Number.isNaN(atMs)) return null;
  return (
    <time
      ref={makeReachable}
      dateTime={at}
      data-tooltip={exactFormat().format(atMs)}
      className={cx('whitespace-nowrap tabular-nums', className)}
    >
      {formatRelativeTime(atMs, fromMs, mayBeFuture)}
    </time>
  );
}

export function ExactTime({ at, className }: { at: string; className?: string }) {
  const atMs = Date.parse(at);
  if (Number.isNaN(atMs)) return null;
  return (
    <time ref={makeReachable} dateTime={at} data-tooltip={at} className={cx('tabular-nums', className)}>
      {exactFormat().format(atMs)}
    </time>
  );
}
