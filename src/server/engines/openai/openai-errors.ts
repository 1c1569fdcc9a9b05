import { EngineError } from '../engine.ts';
import { contentRefusedError, isRecord, noCreditError, type UpstreamErrorResponse } from '../upstream-errors.ts';

const CONTENT_CODES = new Set([
  'moderation_blocked',
  'content_policy_violation',
  'image_content_policy_violation',
  'sentinel_block',
]);
const CREDIT_CODES = new Set(['insufficient_quota', 'billing_hard_limit_reached', 'billing_not_active']);

export function mapOpenAiError({ body, message, cause }: UpstreamErrorResponse): Error | null {
  const error = isRecord(body) && isRecord(body['error']) ? body['error'] : {};
  const codes = [error['code'], error['type']].filter((code) => typeof code === 'string');
  if (codes.some((code) => CONTENT_CODES.has(code))) return contentRefusedError(message, cause);
  return codes.some((code) => CREDIT_CODES.has(code)) ? noCreditError(cause) : null;
}

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
