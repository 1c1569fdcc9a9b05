import { EngineError } from '#server/models/engine/engine.ts';
import {
  engineRejectedError,
  isRecord,
  noCreditError,
  parseRetryAfter,
  type UpstreamErrorResponse,
} from '#server/models/engine/upstream-errors.ts';
import { ResponseLostError, UpstreamBusyError } from '#server/models/engine/upstream.ts';

/** Error codes of sync.so/docs/developer-guides/error-handling and `GET /v2/errors` (read 2026-11-23). */
const CREDIT_CODES = new Set(['account_payment_required', 'account_on_hold', 'free_tier_generations_exhausted']);
const SERVER_CODES =
  /^(generation_infra_|controller_|internal_error|generation_pipeline_failed|generation_unknown_error)/;
const INPUT_CODES = /^generation_(input|media|audio|video|model_duration|plan_duration)/;
const RETRY_CODES = /OUTCOME_UNKNOWN|IN_PROGRESS/;

/** The `Idempotency-Key` was used before, and Sync.so does not simply repeat its response. */
export class IdempotencyError extends ResponseLostError {
  /** The generation that the key belongs to; null if Sync.so does not say. */
  readonly generation_id: string | null;
  /** The same request may still get a response. False: it was sent with another body before. */
  readonly can_retry: boolean;

  constructor(code: string, generation_id: string | null, cause: Error) {
    super('The provider’s response was lost.', { cause });
    this.generation_id = generation_id;
    this.can_retry = RETRY_CODES.test(code);
  }
}

/** Messages are a text or a list of texts. */
function readMessage(body: Record<string, unknown>): string | null {
  const texts = [body['message']].flat().filter((text) => typeof text === 'string');
  return texts.length === 0 ? null : texts.join(' ');
}

export const createSyncErrorMapper =
  (redact: (text: string) => string) =>
  ({ status, headers, body, cause }: UpstreamErrorResponse): Error | null => {
    if (!isRecord(body)) return null;
    const { errorCode, generationId, retryAfterSeconds } = body;
    const code = typeof errorCode === 'string' ? errorCode : '';
    if (code.startsWith('IDEMPOTENCY_'))
      return new IdempotencyError(code, typeof generationId === 'string' ? generationId : null, cause);
    if (CREDIT_CODES.has(code)) return noCreditError(cause);
    if (status === 429) {
      const seconds = typeof retryAfterSeconds === 'number' ? retryAfterSeconds * 1000 : null;
      const retryAfterMs = parseRetryAfter(headers) ?? seconds;
      return new UpstreamBusyError('The provider is busy right now.', { retry_after_ms: retryAfterMs, cause });
    }
    const message = readMessage(body);
    const isExplained = message !== null && (status === 400 || status === 413 || status === 422);
    return isExplained ? engineRejectedError({ message: redact(message), cause }) : null;
  };

/** The error of a generation that failed or was rejected after it was accepted. */
export function generationError(
  { error, errorCode }: { error: string | null; errorCode: string | null },
  redact: (text: string) => string,
): EngineError {
  const sentence = redact(error ?? '');
  const cause = new Error(`Sync.so reported ${redact(errorCode ?? 'a failure')}: ${sentence}`);
  const detail = sentence === '' ? ' without an error message.' : `: ${sentence.replace(/[.!?…]?$/, '.')}`;
  const code = errorCode !== null && INPUT_CODES.test(errorCode) ? 'invalid_media' : 'engine_failed';
  return new EngineError(code, `The lip sync failed${detail}`, {
    retryable: errorCode !== null && SERVER_CODES.test(errorCode),
    cause,
  });
}
