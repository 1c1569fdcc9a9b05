import { EngineError } from '#server/models/engine/engine.ts';
import {
  contentRefusedError,
  isRecord,
  noCreditError,
  toSentence,
  type UpstreamErrorResponse,
} from '#server/models/engine/upstream-errors.ts';

const CONTENT_CODES = new Set([
  'moderation_blocked',
  'content_policy_violation',
  'image_content_policy_violation',
  'sentinel_block',
]);
const CREDIT_CODES = new Set([
  'insufficient_quota',
  'credit_balance_exhausted',
  'billing_hard_limit_reached',
  'billing_not_active',
]);

export function mapOpenAiError({ status, body, message, cause }: UpstreamErrorResponse): Error | null {
  const error = isRecord(body) && isRecord(body['error']) ? body['error'] : {};
  const codes = [error['code'], error['type']].filter((code) => typeof code === 'string');
  if (codes.some((code) => CONTENT_CODES.has(code))) return contentRefusedError(message, cause);
  if (codes.some((code) => CREDIT_CODES.has(code))) return noCreditError(cause);
  // 403: an organization that is not verified, or a country. Only the message tells which.
  const isDenied = (status === 403 || codes.includes('model_not_found')) && message !== null;
  return isDenied ? accessDeniedError(message, cause) : null;
}

const accessDeniedError = (message: string, cause: Error): EngineError =>
  new EngineError(
    'model_unavailable',
    `The provider does not allow this account to use the model: ${toSentence(message)}`,
    { cause },
  );

export function videoError(
  error: { code: string; message: string } | null,
  redact: (text: string) => string,
): EngineError {
  if (!error) return new EngineError('engine_failed', 'The provider could not create the video.', { retryable: true });
  const sentence = redact(error.message);
  const cause = new Error(`The video failed with ${redact(error.code)}: ${sentence}`);
  if (CONTENT_CODES.has(error.code)) return contentRefusedError(sentence || null, cause);
  return new EngineError(
    'engine_failed',
    `The provider could not create the video: ${sentence.replace(/[.!?…]?$/, '.')}`,
    {
      retryable: true,
      cause,
    },
  );
}
