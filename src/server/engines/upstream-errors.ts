import { EngineError } from './engine.ts';
import { ResponseLostError, UpstreamBusyError } from './upstream.ts';

/** For the log, and for who needs the status itself. */
export class UpstreamStatusError extends Error {
  readonly status_code: number;

  constructor(status_code: number, message: string) {
    super(message);
    this.status_code = status_code;
  }
}

/** An answer that is not 2xx. */
export interface UpstreamErrorResponse {
  status: number;
  headers: Headers;
  /** Its JSON, else its text. */
  body: unknown;
  /** The upstream's own sentence, fit for a person; null where it gives none. */
  message: string | null;
  /** For the log. */
  cause: Error;
}

interface ErrorContext {
  answer: Response;
  text: string;
  /** What was asked, for the log. */
  about: string;
  redact: (text: string) => string;
  explain: (refusal: UpstreamErrorResponse) => Error | null;
  nothing_taken_on_500: boolean;
}

/** What an answer that is not 2xx means in the errors of the port. */
export function toUpstreamError({ answer, text, about, redact, explain, nothing_taken_on_500 }: ErrorContext): Error {
  const { status, headers } = answer;
  const cause = new UpstreamStatusError(status, `${about} was answered with ${status}: ${redact(text)}`);
  const body = parseJsonOrText(text);
  const said = findErrorMessage(body);
  const refusal = { status, headers, body, message: said === null ? null : redact(said), cause };
  const retry_after_ms = parseRetryAfter(headers);
  const special = explain(refusal);
  if (special) return special;
  if (status === 429 || status === 503 || (status === 500 && nothing_taken_on_500)) {
    return new UpstreamBusyError('The engine takes no more work right now.', { retry_after_ms, cause });
  }
  if (status >= 500 || status === 408) return new ResponseLostError('The answer of the engine was lost.', { cause });
  if (status === 401 || status === 403) return invalidKeyError(cause);
  if (status === 402) return noCreditError(cause);
  if (status < 400)
    return new EngineError('model_unavailable', 'The engine is not at its address. Tell the operator.', { cause });
  return engineRejectedError(refusal);
}

const invalidKeyError = (cause: unknown): EngineError =>
  new EngineError('model_unavailable', 'The key of this engine is not accepted. Tell the operator.', { cause });

export const noCreditError = (cause: unknown): EngineError =>
  new EngineError('model_unavailable', 'The account of this engine has no credit left. Tell the operator.', { cause });

/** The upstream won't do this, and says why or not. */
export const engineRejectedError = ({
  message,
  cause,
}: Pick<UpstreamErrorResponse, 'message' | 'cause'>): EngineError =>
  new EngineError(
    'engine_failed',
    message ? `The engine refused this: ${toSentence(message)}` : 'The engine refused this.',
    { cause },
  );

/** A content filter's refusal. @param sentence the upstream's own, already cleaned; null where it gives none */
export const contentRefusedError = (sentence: string | null, cause?: unknown): EngineError =>
  new EngineError(
    'content_refused',
    `The engine’s rules do not allow this. Change the prompt or the references.${sentence ? ` It says: ${toSentence(sentence)}` : ''}`,
    { cause },
  );

const toSentence = (text: string): string => (/[.!?…]$/.test(text) ? text : `${text}.`);

/**
 * How long an upstream asks to wait: `Retry-After` in seconds or as a date, or the finer `retry-after-ms`.
 * @returns null where it doesn't say
 */
export function parseRetryAfter(headers: Headers, now = Date.now()): number | null {
  const fine = headers.get('retry-after-ms')?.trim() ?? '';
  if (/^\d{1,9}(\.\d+)?$/.test(fine)) return Math.ceil(Number(fine));
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

/** The sentence of the error bodies in use: `{error: {message}}`, `{error}`, `{detail}`, `{detail: [{msg}]}`, `{message}`. */
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
