import { useEffect, useState } from 'react';
import type { WebhookDelivery } from '#contract/resources/webhook.ts';
import { lazily } from '#web/ui/formats.ts';
import { formatCountdown } from './format-long-duration.ts';

const timeFormat = lazily(() => new Intl.DateTimeFormat('en', { hour: '2-digit', minute: '2-digit' }));

/** The next attempt: "Attempt 3 at 21:59 · in 4:59", then "Attempt 3 in progress" when it is due. */
export function Countdown({ delivery: { attempts, next_attempt_at } }: { delivery: WebhookDelivery }) {
  const [nowMs, setNow] = useState(Date.now);
  const atMs = next_attempt_at === null ? 0 : Date.parse(next_attempt_at);
  const leftMs = atMs - nowMs;
  const due = leftMs <= 0;
  useEffect(() => {
    if (due) return;
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, [due]);
  const attempt = `Attempt ${attempts.length + 1}`;
  return (
    <span role="timer" className="tabular-nums">
      {due ? `${attempt} in progress` : `${attempt} at ${timeFormat().format(atMs)} · in ${formatCountdown(leftMs)}`}
    </span>
  );
}
