import type { RemoteService } from '#server/platform/net/remote-service.ts';
import { EngineError } from '#server/models/engine/engine.ts';
import {
  contentRefusedError,
  invalidKeyError,
  isRecord,
  noCreditError,
  toSentence,
  type UpstreamErrorResponse,
} from '#server/models/engine/upstream-errors.ts';
import { createUpstreamHttp, type UpstreamHttp } from '#server/models/engine/upstream-http.ts';
import { UpstreamBusyError } from '#server/models/engine/upstream.ts';

export interface GeminiConnection {
  /** The Gemini API with its version: `https://generativelanguage.googleapis.com/v1beta`. */
  service: RemoteService;
  api_key: string | null;
}

export const createGeminiHttp = ({ service, api_key }: GeminiConnection): UpstreamHttp => {
  const http = createUpstreamHttp({
    service,
    api_key,
    headers: (key) => ({ 'x-goog-api-key': key }),
    mapError: (response) => mapGeminiError(response, (text) => http.redact(text)),
  });
  return http;
};

interface GoogleError {
  code: unknown;
  status: unknown;
  details: readonly Record<string, unknown>[];
}

function readGoogleError(body: unknown): GoogleError & { message: string } {
  const [first] = [body].flat();
  const error = isRecord(first) && isRecord(first['error']) ? first['error'] : {};
  const { code, status, message, details } = error;
  return {
    code,
    status,
    message: typeof message === 'string' ? message : '',
    details: Array.isArray(details) ? details.filter(isRecord) : [],
  };
}

const REFUSALS =
  /safety (filter|polic|setting)|prohibited (content|use)|content polic|sensitive words|usage guidelines/i;
/** A rate limit has the same status; only the texts differ. */
const NO_CREDIT = /limit: 0\b|credits? (is|are) depleted|billing (account )?(is )?(disabled|not enabled)/i;

/** Maps responses of the Gemini API whose body says more than their status. */
function mapGeminiError({ status, body, message, cause }: UpstreamErrorResponse, redact: (text: string) => string) {
  const error = readGoogleError(body);
  const sentence = message ?? (error.message ? redact(error.message) : null);
  if (error.details.some(({ reason }) => reason === 'API_KEY_INVALID')) return invalidKeyError(cause);
  if (status === 429) {
    if (NO_CREDIT.test(error.message)) return noCreditError(cause);
    const retryAfterMs = readRetryDelay(error.details);
    return retryAfterMs === null
      ? null
      : new UpstreamBusyError('The provider is busy right now.', { retry_after_ms: retryAfterMs, cause });
  }
  if (status === 400 && REFUSALS.test(error.message)) return contentRefusedError(sentence, cause);
  // A region without the model, or a project without billing.
  if (error.status === 'FAILED_PRECONDITION' || (status === 404 && error.status === 'NOT_FOUND'))
    return new EngineError(
      'model_unavailable',
      `The provider does not offer this model to this account${sentence ? `: ${toSentence(sentence)}` : '.'}`,
      { cause },
    );
  return null;
}

/** `google.rpc.RetryInfo`: `"34s"`. */
function readRetryDelay(details: GoogleError['details']): number | null {
  const delay = details.find(({ retryDelay }) => typeof retryDelay === 'string')?.['retryDelay'];
  const [, seconds] = /^(\d{1,6}(?:\.\d+)?)s$/.exec(String(delay)) ?? [];
  return seconds === undefined ? null : Math.ceil(Number(seconds) * 1000);
}

/** Why a response has no image: `finishReason` and `promptFeedback.blockReason` of js-genai 3.1.0, read 2026-11-23. */
const REFUSAL_REASONS = new Set([
  'SAFETY',
  'RECITATION',
  'BLOCKLIST',
  'PROHIBITED_CONTENT',
  'SPII',
  'IMAGE_SAFETY',
  'IMAGE_PROHIBITED_CONTENT',
  'IMAGE_RECITATION',
  'MODEL_ARMOR',
  'JAILBREAK',
]);

export const isRefusalReason = (reason: string | null): boolean => reason !== null && REFUSAL_REASONS.has(reason);

/** @param reason `finishReason` or `blockReason` @param text what the model said instead, redacted */
export function noOutputError(reason: string | null, text: string | null): EngineError {
  const cause = new Error(`The response has no output: ${reason ?? 'no reason'}`);
  if (isRefusalReason(reason)) return contentRefusedError(text, cause);
  const message = text
    ? `The model answered with text only: ${toSentence(text)}`
    : 'The model made nothing for this prompt. Change the prompt and try again.';
  return new EngineError('engine_failed', message, { retryable: true, cause });
}
