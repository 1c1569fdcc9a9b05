import type { ApiError } from '#server/platform/core/api-error.ts';
import type { CompatReply } from '#server/http/compat/compat-adapter.ts';
import { OrderError } from '#server/http/compat/place-orders.ts';
import type { Generation } from '#contract/resources/generation.ts';
import { REQUEST_ID_HEADER } from './proxy-target.ts';

type Failure = NonNullable<Generation['error']>;

export const CANCELED: Failure = { code: 'canceled', message: 'The order was canceled.', retryable: false };

/** As one request: several orders are a batch. */
export const requestIdOf = ([first, ...others]: readonly Generation[]): string =>
  (others.length > 0 ? first?.batch_id : null) ?? first?.id ?? '';

/** `message` is what fal’s client shows. */
const problem = (type: string, msg: string, path: string) => ({
  message: msg,
  detail: [{ loc: ['body', ...path.split('.').filter((name) => name !== '')], msg, type }],
});

const failedByInput: Readonly<Record<string, string>> = {
  content_refused: 'content_policy_violation',
  invalid_media: 'value_error',
  reference_unavailable: 'file_download_error',
};

/** The error type of a request that has failed, as its status has it. */
export const errorTypeOf = ({ code }: Failure): string =>
  failedByInput[code] ??
  ({ canceled: 'client_cancelled', timeout: 'request_timeout' } as Record<string, string>)[code] ??
  'internal_error';

/** fal’s answer for a request that has failed. No status here makes its client send the request again. */
export function presentFailure(failure: Failure): Required<Pick<CompatReply, 'status' | 'body' | 'headers'>> {
  const type = errorTypeOf(failure);
  const isInput = Object.hasOwn(failedByInput, failure.code);
  return {
    status: isInput ? 422 : failure.code === 'canceled' ? 499 : 500,
    body: isInput ? problem(type, failure.message, '') : { message: failure.message, detail: failure.message },
    headers: { 'x-fal-error-type': type, 'x-fal-retryable': String(failure.retryable) },
  };
}

/** Several of ours are 400, which says less than fal does. */
const STATUSES: Partial<Record<ApiError['code'], number>> = { model_not_found: 404, model_not_allowed: 403 };

export function presentFalError(error: ApiError, requestId: string): CompatReply {
  if (error instanceof OrderError) {
    const headers = { [REQUEST_ID_HEADER]: requestIdOf(error.orders) };
    if (error.failure) {
      const failed = presentFailure(error.failure);
      return { ...failed, headers: { ...failed.headers, ...headers } };
    }
    // The client repeats other 504s, which would order again.
    return {
      status: 504,
      body: { message: error.message, detail: error.message },
      headers: { ...headers, 'x-fal-request-timeout-type': 'user' },
    };
  }
  const headers = { [REQUEST_ID_HEADER]: requestId };
  const { message, details = [] } = error;
  if (error.status !== 422) {
    const extra = {
      ...(error.budget && { budget: error.budget }),
      ...(error.approval && { approval: error.approval }),
    };
    return { status: STATUSES[error.code] ?? error.status, body: { message, detail: message, ...extra }, headers };
  }
  const problems = details.length > 0 ? details : [{ path: '', message }];
  const detail = problems.flatMap(({ path, message: msg }) => problem('value_error', msg, path).detail);
  return { status: 422, body: { message: problems[0]?.message ?? message, detail }, headers };
}
