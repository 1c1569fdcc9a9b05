import { EVENT_ID_HEADER, SIGNATURE_HEADER, signWebhook } from '#contract/api/signature.ts';
import type { Deps } from '#server/platform/deps.ts';
import { OutboundError } from '#server/platform/net/outbound-error.ts';
import type { ClaimedDelivery, EndpointRow } from './claim-deliveries.ts';
import { buildEventBody } from './event-body.ts';
import { ATTEMPT_TIMEOUT_MS } from './retry-schedule.ts';

const MAX_CHARACTERS = 1_000;

/**
 * Returns the beginning of a response body as plain text: at most 1,000 characters, without control characters,
 * bidirectional marks and invalid UTF-8. null if nothing is left.
 */
function responseExcerpt(body: Uint8Array): string | null {
  const text = new TextDecoder().decode(body).replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\ufffd\s]+/gu, ' ');
  const trimmed = [...text.trim()].slice(0, MAX_CHARACTERS).join('');
  return trimmed === '' ? null : trimmed;
}

export interface DeliveryAttempt {
  at: Date;
  status_code: number | null;
  error: string | null;
  latency_ms: number;
  excerpt: string | null;
}

const UNREADABLE_SECRET =
  'The signing secret can’t be decrypted because SECRET_KEY has changed. Rotate the secret and give the new one to the receiver.';

/**
 * Sends an event once, signed with every secret that is valid now. Spec: Delivery, Signature
 * @throws the reason of the signal or a database error if no attempt was made
 */
export async function attemptDelivery(
  deps: Deps,
  claimed: ClaimedDelivery,
  signal: AbortSignal,
): Promise<DeliveryAttempt> {
  const { endpoint, event } = claimed;
  const body = JSON.stringify(await buildEventBody(deps, event));
  const at = deps.clock.now();
  const secrets = validSecrets(deps, endpoint, at);
  if (secrets.length === 0) {
    return { at, status_code: null, error: UNREADABLE_SECRET, latency_ms: 0, excerpt: null };
  }
  const headers = {
    'content-type': 'application/json',
    [SIGNATURE_HEADER]: await signWebhook({ secrets, body, at }),
    [EVENT_ID_HEADER]: event.id,
  };
  const beganMs = performance.now();
  const latency = () => Math.round(performance.now() - beganMs);
  try {
    const limits = { timeoutMs: ATTEMPT_TIMEOUT_MS, signal };
    const response = await deps.fetcher.post(endpoint.url, { headers, body, ...limits });
    const { status_code } = response;
    return {
      at,
      status_code,
      error: statusErrorMessage(status_code),
      latency_ms: latency(),
      excerpt: responseExcerpt(response.body),
    };
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof OutboundError))
      deps.log.error({ err: error, endpoint_id: endpoint.id }, 'webhook attempt failed');
    return { at, status_code: null, error: transportErrorMessage(error), latency_ms: latency(), excerpt: null };
  }
}

function validSecrets({ secrets }: Deps, endpoint: EndpointRow, now: Date): string[] {
  const current = secrets.decrypt('webhook-secret', endpoint.id, endpoint.secret_sealed);
  const { previous_secret_sealed: sealed, previous_secret_expires_at: expires_at } = endpoint;
  const isValid = sealed !== null && expires_at !== null && expires_at > now;
  const previous = isValid ? secrets.decrypt('webhook-secret', endpoint.id, sealed) : null;
  return [current, previous].filter((secret) => secret !== null);
}

/** Any 2xx acknowledges. Redirects are not followed, since the target was not checked. Decision: Webhooks */
function statusErrorMessage(statusCode: number): string | null {
  if (statusCode >= 200 && statusCode <= 299) return null;
  if (statusCode >= 300 && statusCode <= 399) {
    return `The receiver responded with a redirect (${statusCode}), and redirects are not followed. Register the target URL instead.`;
  }
  return `The receiver responded with status ${statusCode}. Any status from 200 to 299 acknowledges.`;
}

function transportErrorMessage(error: unknown): string {
  if (!(error instanceof OutboundError)) return 'Something went wrong on our side.';
  return error.code === 'timeout' ? 'The receiver did not respond within 10 seconds.' : error.message;
}
