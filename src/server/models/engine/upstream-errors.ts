import { EngineError } from './engine.ts';
import { ResponseLostError, UpstreamBusyError } from './upstream.ts';

export class UpstreamStatusError extends Error {
  readonly status_code: number;
  /** The provider's own sentence, redacted; null if there is none. */
  readonly provider_message: string | null;
  readonly headers: Headers;

  constructor(
    statusCode: number,
    message: string,
    providerMessage: string | null = null,
    headers: Headers = new Headers(),
  ) {
    super(message);
    this.headers = headers;
    this.status_code = statusCode;
    this.provider_message = providerMessage;
  }
}

export interface UpstreamErrorResponse {
  status: number;
  headers: Headers;
  body: unknown;
  /** The provider's own message, redacted; null when there is none. */
  message: string | null;
  cause: Error;
}

interface ErrorContext {
  response: Response;
  text: string;
  about: string;
  redact: (text: string) => string;
  explain: (response: UpstreamErrorResponse) => Error | null;
  is_not_accepted_on_500: boolean;
}

export function toUpstreamError({
  response,
  text,
  about,
  redact,
  explain,
  is_not_accepted_on_500,
}: ErrorContext): Error {
  const { status, headers } = response;
  const body = parseJsonOrText(text);
  const rawMessage = findErrorMessage(body);
  const message = rawMessage === null ? null : redact(rawMessage);
  const cause = new UpstreamStatusError(status, `${about} returned ${status}: ${redact(text)}`, message, headers);
  const errorResponse = { status, headers, body, message, cause };
  const retryAfterMs = parseRetryAfter(headers);
  const providerError = explain(errorResponse);
  if (providerError) return providerError;
  if (status === 429 || status === 503 || (status === 500 && is_not_accepted_on_500)) {
    return new UpstreamBusyError('The provider is busy right now.', { retry_after_ms: retryAfterMs, cause });
  }
  if (status >= 500 || status === 408) return new ResponseLostError('The provider’s response was lost.', { cause });
  if (status === 401 || status === 403) return invalidKeyError(cause);
  if (status === 402) return noCreditError(cause);
  if (status < 400)
    return new EngineError(
      'model_unavailable',
      'The provider was not found at its address. Ask the operator to check it.',
      { cause },
    );
  return engineRejectedError(errorResponse);
}

/** The provider rejected the account, not the request: any other request fails as well. */
export class ProviderAccountError extends EngineError {
  constructor(message: string, cause: unknown) {
    super('model_unavailable', message, { cause });
  }
}

/** The provider does not have the model, or not any more. */
export class ModelNotFoundError extends EngineError {
  constructor(message: string, cause?: unknown) {
    super('model_unavailable', message, { cause });
  }
}

export class InvalidKeyError extends ProviderAccountError {}

export const invalidKeyError = (cause: unknown): EngineError =>
  new InvalidKeyError('The provider rejected the API key. Ask the operator to check it.', cause);

export const noCreditError = (cause: unknown): EngineError =>
  new ProviderAccountError('The provider account has no credit left. Ask the operator to top it up.', cause);

/** The provider's own sentence about an error, for administrators; otherwise the error's message. */
export function describeProviderError(error: Error): string {
  const { cause } = error;
  return (cause instanceof UpstreamStatusError ? cause.provider_message : null) ?? error.message;
}

export const engineRejectedError = ({
  message,
  cause,
}: Pick<UpstreamErrorResponse, 'message' | 'cause'>): EngineError =>
  new EngineError(
    'engine_failed',
    message ? `The provider rejected the request: ${toSentence(message)}` : 'The provider rejected the request.',
    { cause },
  );

/** A content filter's refusal. @param sentence the provider's own message, redacted */
export const contentRefusedError = (sentence: string | null, cause?: unknown): EngineError =>
  new EngineError(
    'content_refused',
    `The provider’s content rules do not allow this. Change the prompt or the references.${sentence ? ` The provider says: ${toSentence(sentence)}` : ''}`,
    { cause },
  );

/** Ends a text with a full stop unless it has an ending. */
export const toSentence = (text: string): string => (/[.!?…]$/.test(text) ? text : `${text}.`);

/** Reads `Retry-After` (seconds or a date) or the more precise `retry-after-ms`, in milliseconds. */
export function parseRetryAfter(headers: Headers, now = Date.now()): number | null {
  const milliseconds = headers.get('retry-after-ms')?.trim() ?? '';
  if (/^\d{1,9}(\.\d+)?$/.test(milliseconds)) return Math.ceil(Number(milliseconds));
  const text = headers.get('retry-after')?.trim() ?? '';
  if (/^\d{1,7}(\.\d+)?$/.test(text)) return Math.ceil(Number(text) * 1000);
  const at = /[a-z]/i.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? null : Math.max(0, at - now);
}

function parseJsonOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function findErrorMessage(body: unknown): string | null {
  if (!isRecord(body)) return null;
  const { error, detail, message, msg } = body;
  if (isRecord(error)) return findErrorMessage(error);
  if (Array.isArray(detail)) return findErrorMessage(detail[0]);
  if (isRecord(detail)) return findErrorMessage(detail);
  return (
    [message, msg, detail, error].find((text): text is string => typeof text === 'string' && text.trim() !== '') ?? null
  );
}

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
