/**
 * `message` is a sentence for the user, `cause` for the log. `blocked`: it leads to a forbidden address;
 * `resolver_failed`: the lookup may succeed later; `not_connected`: the server received nothing.
 */
export class OutboundError extends Error {
  readonly code:
    | 'invalid_url'
    | 'blocked'
    | 'unknown_host'
    | 'resolver_failed'
    | 'not_connected'
    | 'unreachable'
    | 'timeout'
    | 'bad_status'
    | 'too_many_redirects'
    | 'too_large';
  readonly status_code: number | null;

  constructor(code: OutboundError['code'], message: string, options: { cause?: unknown; status_code?: number } = {}) {
    super(message, { cause: options.cause });
    this.name = 'OutboundError';
    this.code = code;
    this.status_code = options.status_code ?? null;
  }
}

const TIMEOUTS = new Set(['UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT', 'ETIMEDOUT']);
const CERTIFICATE = /CERT|SELF_SIGNED|ALTNAME|UNABLE_TO_VERIFY|ISSUER/;

export function toOutboundError(error: unknown): OutboundError {
  if (error instanceof OutboundError) return error;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (TIMEOUTS.has(code)) return timeoutError(error);
  if (CERTIFICATE.test(code)) {
    return new OutboundError('unreachable', 'The server’s security certificate is not valid.', { cause: error });
  }
  return new OutboundError('unreachable', 'The server could not be reached, or the connection was lost.', {
    cause: error,
  });
}

export const timeoutError = (cause?: unknown): OutboundError =>
  new OutboundError('timeout', 'The server took too long to respond.', { cause });
