import { EngineError } from '#server/models/engine/engine.ts';
import { UpstreamBusyError } from '#server/models/engine/upstream.ts';
import {
  contentRefusedError,
  engineRejectedError,
  isRecord,
  parseRetryAfter,
  type UpstreamErrorResponse,
} from '#server/models/engine/upstream-errors.ts';
import type { Prediction } from './prediction.ts';

/** Codes of a model's own content filter. Four-digit codes are Replicate's and documented. */
const CONTENT_FILTER = /\bE005\b|\bNSFW\b|flagged as sensitive/i;
const OUT_OF_MEMORY = /\bE1001\b|out of memory/i;
/** Failures that the input did not cause: unknown, start timeout, interruption. */
const REPLICATE_ERRORS = /\bE(1000|6716|8367|8765|9243|9825)\b|prediction interrupted/i;

export function predictionError(prediction: Prediction, redact: (text: string) => string): EngineError {
  const { error } = prediction;
  const text = redact(typeof error === 'string' ? error : error ? JSON.stringify(error) : '');
  const cause = new Error(`Prediction ${prediction.id} is ${prediction.status}: ${text}`);
  if (prediction.status !== 'failed') return stoppedError(prediction, cause);
  if (CONTENT_FILTER.test(text)) return contentRefusedError(text, cause);
  if (OUT_OF_MEMORY.test(text)) {
    return new EngineError('engine_failed', 'The model ran out of memory. Try a smaller size or fewer references.', {
      cause,
    });
  }
  const detail = text === '' ? ' without an error message.' : `: ${/[.!?…]$/.test(text) ? text : `${text}.`}`;
  return new EngineError('engine_failed', `The model failed${detail}`, {
    retryable: REPLICATE_ERRORS.test(text),
    cause,
  });
}

function stoppedError({ status, deadline, completed_at }: Prediction, cause: Error): EngineError {
  const isLate = deadline && completed_at && Date.parse(completed_at) >= Date.parse(deadline);
  if (status === 'aborted' || isLate) {
    return new EngineError('timeout', 'The model did not finish before the deadline.', { retryable: true, cause });
  }
  return new EngineError('engine_failed', 'The prediction was stopped at Replicate before it completed.', {
    retryable: true,
    cause,
  });
}

export function mapReplicateError(response: UpstreamErrorResponse): Error | null {
  const { status, headers, body, message, cause } = response;
  if (status === 429) {
    // “Request was throttled. Your rate limit resets in ~30s.”
    const seconds = /(?:resets|available) in ~?(\d{1,5})\s*s/.exec(readDetail(body))?.[1];
    const retryAfterMs = parseRetryAfter(headers) ?? (seconds === undefined ? null : Number(seconds) * 1000);
    return new UpstreamBusyError('The provider is busy right now.', { retry_after_ms: retryAfterMs, cause });
  }
  // “- input.aspect_ratio: aspect_ratio must be one of the following …”, one line per field.
  if (status === 422 && message !== null)
    return engineRejectedError({ message: message.replaceAll(/(^|\s)- input\./g, '$1'), cause });
  return null;
}

const readDetail = (body: unknown): string =>
  isRecord(body) && typeof body['detail'] === 'string' ? body['detail'] : '';
