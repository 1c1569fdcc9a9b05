import type { CallbackRequest } from '#server/studio/webhooks/order-callbacks.ts';
import type { Generation } from '#contract/resources/generation.ts';
import { failureOf, hasResult } from '#server/http/compat/place-orders.ts';
import { CANCELED, presentFailure } from './fal-compat-errors.ts';
import { presentOutput } from './fal-output.ts';

/** The body of fal's webhooks. Its signature, by keys that fal publishes, can't be ours. */
export function buildFalCallback(offering: Parameters<typeof presentOutput>[0], order: Generation): CallbackRequest {
  const request = { request_id: order.id, gateway_request_id: order.id };
  const failure = hasResult(order) ? null : (failureOf(order) ?? CANCELED);
  const body = failure
    ? { ...request, status: 'ERROR', error: failure.message, payload: presentFailure(failure).body }
    : { ...request, status: 'OK', payload: presentOutput(offering, [order]) };
  return { body: JSON.stringify(body), headers: { 'x-fal-webhook-request-id': order.id } };
}
