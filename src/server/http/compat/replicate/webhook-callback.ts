import { createHmac } from 'node:crypto';
import * as z from 'zod/mini';
import type { Generation } from '#contract/resources/generation.ts';
import type { CompatCall, CompatDeps } from '#server/http/compat/compat-adapter.ts';
import { refuseParameter } from '#server/http/compat/compat-input.ts';
import { checkReceiver } from '#server/studio/webhooks/check-receiver.ts';
import { type CallbackEvent, type CallbackRequest, registerCallback } from '#server/studio/webhooks/order-callbacks.ts';
import { presentPrediction } from './present-prediction.ts';

/** What an event of Replicate is here; logs are never sent. */
const EVENTS = { start: 'started', output: 'completed', logs: null, completed: 'completed' } as const;
const MAX_URL_CHARACTERS = 2_000;

export const webhookFields = {
  webhook: z.nullish(z.string().check(z.maxLength(MAX_URL_CHARACTERS))),
  webhook_events_filter: z.nullish(
    z.array(z.enum(['start', 'output', 'logs', 'completed'])).check(z.minLength(1), z.maxLength(4)),
  ),
};

interface PredictionWebhook {
  url: string;
  events: CallbackEvent[];
}

/** @returns null if nothing is to be sent @throws {ApiError} if the address can’t receive anything */
export async function readWebhook(
  { deps }: Pick<CompatCall, 'deps'>,
  { webhook, webhook_events_filter }: z.infer<z.ZodMiniObject<typeof webhookFields>>,
): Promise<PredictionWebhook | null> {
  if (webhook == null) {
    if (webhook_events_filter == null) return null;
    return refuseParameter('webhook_events_filter', 'webhook_events_filter needs webhook.');
  }
  await checkReceiver(deps.fetcher, webhook, 'webhook');
  const wanted = (webhook_events_filter ?? ['start', 'completed']).flatMap((event) => EVENTS[event] ?? []);
  return wanted.length === 0 ? null : { url: webhook, events: [...new Set(wanted)] };
}

export const registerWebhook = (
  { deps, caller }: Pick<CompatCall, 'deps' | 'caller'>,
  { id: generation_id }: Generation,
  webhook: PredictionWebhook,
): Promise<void> =>
  registerCallback(deps, { ...webhook, generation_id, organization_id: caller.organization_id, format: 'replicate' });

/** The keys that an organization’s callbacks are signed with, the newest first. */
const signingKeys = ({ secrets }: Pick<CompatDeps, 'secrets'>, organizationId: string): Buffer[] =>
  secrets.signWithEach('callback-secret', organizationId).map((key) => Buffer.from(key, 'base64url'));

/** The secret as Standard Webhooks write it. Its base64 has no underscore, which the client splits it by. */
export function webhookSecret(deps: Pick<CompatDeps, 'secrets'>, organizationId: string): string {
  const [newest] = signingKeys(deps, organizationId);
  if (!newest) throw new Error('There is no key to sign callbacks with.');
  return `whsec_${newest.toString('base64')}`;
}

/**
 * Builds the current prediction, under the same message id at each attempt. It is signed with every key, so that a secret
 * that a client read before a rotation stays valid.
 */
export async function buildCallback(
  deps: Pick<CompatDeps, 'config' | 'offering' | 'secrets' | 'clock'>,
  organizationId: string,
  order: Generation,
  event: CallbackEvent,
): Promise<CallbackRequest> {
  const body = JSON.stringify(presentPrediction(deps, order));
  const id = `msg_${order.id}_${event}`;
  const timestamp = String(Math.floor(deps.clock.now().getTime() / 1_000));
  const signatures = signingKeys(deps, organizationId).map(
    (key) => `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`,
  );
  return {
    body,
    headers: { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') },
  };
}
