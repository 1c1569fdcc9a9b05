import type { ErrorCode, ErrorDetail } from '#contract/api/errors.ts';
import type { ApiError } from '#server/platform/core/api-error.ts';
import type { CompatReply } from '../compat-adapter.ts';
import { OrderError, orderHeaders } from '../place-orders.ts';

const MODEL_CODES: readonly ErrorCode[] = [
  'model_required',
  'model_not_found',
  'model_not_allowed',
  'model_unavailable',
  'unsupported_task',
];

/** Failures for which the request is to blame, not the service. */
const REQUEST_FAILURES = {
  content_refused: { status: 400, type: 'image_generation_user_error', code: 'moderation_blocked' },
  invalid_media: { status: 400, type: 'invalid_request_error', code: 'invalid_media' },
  canceled: { status: 409, type: 'invalid_request_error', code: 'canceled' },
} as const;

/** An error as OpenAI writes it, with our status, code and sentence. */
export function presentOpenAiError(error: ApiError): CompatReply {
  if (error instanceof OrderError) return presentOrderError(error);
  const { status, code, details = [] } = error;
  const param = details[0]?.path ?? (MODEL_CODES.includes(code) ? 'model' : null);
  return {
    body: { error: { message: listDetails(error.message, details), type: toType(status), param, code } },
    // The client repeats conflicts by itself, but this one stays.
    ...(code === 'idempotency_conflict' ? { headers: { 'x-should-retry': 'false' } } : {}),
  };
}

/** The order exists, so it is not repeated; after a restart of the service, the next request joins it. */
function presentOrderError({ orders, message, failure, code, status, isInterrupted }: OrderError): CompatReply {
  const known = Object.entries(REQUEST_FAILURES).find(([name]) => name === failure?.code)?.[1];
  const error = known ?? { status, type: 'server_error', code: failure?.code ?? code };
  return {
    status: error.status,
    body: { error: { message, type: error.type, param: null, code: error.code } },
    headers: { ...orderHeaders(orders), 'x-should-retry': String(isInterrupted) },
  };
}

function toType(status: number): string {
  if (status >= 500) return 'server_error';
  const types: Readonly<Record<number, string>> = {
    401: 'authentication_error',
    402: 'insufficient_quota',
    429: 'rate_limit_error',
  };
  return types[status] ?? 'invalid_request_error';
}

/** Each order of several has the same details. */
function listDetails(message: string, details: readonly ErrorDetail[]): string {
  const [first] = details;
  if (!first) return message;
  const lines = [...new Set(details.map((each) => `${each.path}: ${each.message}`))];
  return lines.length === 1 ? first.message : lines.join(' ');
}
