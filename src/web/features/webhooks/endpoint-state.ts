import type { WebhookEndpoint, WebhookHealth } from '#contract/resources/webhook.ts';
import type { Tone } from '#web/ui/display/badge.tsx';

export type EndpointState = 'working' | 'failing' | 'off' | 'unused';

export const ENDPOINT_STATE_LABELS = {
  working: { label: 'Working', tone: 'good' },
  failing: { label: 'Failing', tone: 'bad' },
  off: { label: 'Disabled', tone: 'review' },
  unused: { label: 'No deliveries yet', tone: 'neutral' },
} satisfies Record<EndpointState, { label: string; tone: Tone }>;

/** Returns the state of an endpoint by its health, or by its last delivery if the service reports no health. */
export function endpointState({ status, health, last_delivery_status }: WebhookEndpoint): EndpointState {
  if (status === 'disabled') return 'off';
  const failing = health ? health.failing_since !== null : last_delivery_status === 'failed';
  if (failing) return 'failing';
  return last_delivery_status === null || last_delivery_status === 'pending' ? initialState(health) : 'working';
}

/** A pending first delivery says nothing about the endpoint, but earlier attempts do. */
const initialState = (health: WebhookHealth | undefined): EndpointState =>
  health && health.attempts > health.failed_attempts ? 'working' : 'unused';

/** Formats the failure rate: "2 of 40 attempts in 7 days failed (5%)". */
export function formatFailureRate({ attempts, failed_attempts, window_days }: WebhookHealth): string {
  const within = `in ${window_days} days`;
  if (attempts === 0) return `No attempts ${within}`;
  if (failed_attempts === 0)
    return attempts === 1 ? `The only attempt ${within} succeeded` : `All ${attempts} attempts ${within} succeeded`;
  const share = formatShare(failed_attempts / attempts);
  return `${failed_attempts} of ${attempts} ${attempts === 1 ? 'attempt' : 'attempts'} ${within} failed (${share})`;
}

/** Rounds to whole percent, but never to 0% or 100% unless exact. */
function formatShare(share: number): string {
  if (share < 0.01) return 'under 1%';
  return share > 0.99 && share < 1 ? 'over 99%' : `${Math.round(share * 100)}%`;
}
