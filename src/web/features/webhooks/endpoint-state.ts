import type { WebhookEndpoint, WebhookHealth } from '#contract/resources/webhook.ts';
import type { Tone } from '#web/ui/badge.tsx';

export type EndpointState = 'working' | 'failing' | 'off' | 'unused';

/** How every state of an endpoint is called. */
export const ENDPOINT_STATE_LABELS = {
  working: { label: 'Working', tone: 'good' },
  failing: { label: 'Failing', tone: 'bad' },
  off: { label: 'Switched off', tone: 'review' },
  unused: { label: 'Nothing sent yet', tone: 'neutral' },
} satisfies Record<EndpointState, { label: string; tone: Tone }>;

/** How an endpoint fares; where a service tells no health, by its last delivery. */
export function endpointState({ status, health, last_delivery_status }: WebhookEndpoint): EndpointState {
  if (status === 'disabled') return 'off';
  const failing = health ? health.failing_since !== null : last_delivery_status === 'failed';
  if (failing) return 'failing';
  return last_delivery_status === null || last_delivery_status === 'pending' ? initialState(health) : 'working';
}

/** A first delivery that is on its way says nothing yet; attempts before it do. */
const initialState = (health: WebhookHealth | undefined): EndpointState =>
  health && health.attempts > health.failed_attempts ? 'working' : 'unused';

/** How many of the attempts failed, of how many, in what time. */
export function formatFailureRate({ attempts, failed_attempts, window_days }: WebhookHealth): string {
  const within = `in ${window_days} days`;
  if (attempts === 0) return `No attempts ${within}`;
  if (failed_attempts === 0)
    return attempts === 1
      ? `The one attempt ${within} was accepted`
      : `All ${attempts} attempts ${within} were accepted`;
  const share = formatShare(failed_attempts / attempts);
  return `${failed_attempts} of ${attempts} ${attempts === 1 ? 'attempt' : 'attempts'} ${within} failed (${share})`;
}

/** Never all or nothing where it is not. */
function formatShare(share: number): string {
  if (share < 0.01) return 'under 1%';
  return share > 0.99 && share < 1 ? 'over 99%' : `${Math.round(share * 100)}%`;
}
