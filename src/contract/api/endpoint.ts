import type * as z from 'zod/mini';
import { ENDPOINT_ROUTES, type EndpointName, type EndpointRoute } from './endpoint-routes.ts';
import type { ErrorCode } from './errors.ts';

export interface EndpointSpec extends EndpointRoute {
  tag: string;
  summary: string;
  params?: z.ZodMiniType<Record<string, string>>;
  query?: z.ZodMiniType<Record<string, unknown>>;
  /** JSON, `multipart` for the form field `file`, or `file` for its bytes. Without it, only an empty body is accepted. */
  body?: z.ZodMiniType | 'multipart' | 'file';
  /** Values of a JSON body, nested ones included; 10,000 by default. */
  maxJsonValues?: number;
  /** Of the JSON body, where it is more than `MAX_JSON_BYTES`. */
  maxJsonBytes?: number;
  idempotency?: 'optional' | 'required';
  /** 302: a redirect without a body. */
  status: 200 | 201 | 204 | 302;
  /** null: an empty body; `csv`, `zip`, `pdf`: a file; `file`: one of any type, which nothing should open. */
  response: z.ZodMiniType | 'csv' | 'zip' | 'pdf' | 'file' | null;
  /** The codes that the interface lists for this endpoint; `endpointErrors` adds the common ones. */
  errors: Partial<Record<number, readonly ErrorCode[]>>;
  /** The response opens a session, in a cookie if the request asks for one with the header of `SESSION_HEADER`. */
  opens_session?: true;
}

type Rows = { readonly [N in EndpointName]?: Omit<EndpointSpec, 'tag' | keyof EndpointRoute> };

/** Adds to each endpoint its route and the tag. */
export const defineEndpoints = <const T extends string, const R extends Rows>(tag: T, rows: R) =>
  Object.fromEntries<unknown>(
    Object.entries<object | undefined>(rows).map(([name, row]) => [
      name,
      { ...ENDPOINT_ROUTES[name as EndpointName], tag, ...row },
    ]),
    // The compiler does not know the keys of Object.entries.
  ) as { readonly [N in keyof R & EndpointName]: (typeof ENDPOINT_ROUTES)[N] & { tag: T } & R[N] };

/** Spec: Per-endpoint errors */
export const GENERATION_REQUEST_CODES = [
  'invalid_request',
  'task_not_found',
  'task_unavailable',
  'model_required',
  'model_not_allowed',
  'model_not_found',
  'model_unavailable',
  'unsupported_task',
] as const;
export const RETRY_CODES = [
  'active_retry_exists',
  'idempotency_conflict',
  'retry_not_allowed',
  'retry_not_latest',
] as const;
export const INVALID_REQUEST = ['invalid_request'] as const;
export const SERVICE_UNAVAILABLE = ['service_unavailable'] as const;

/**
 * Returns every status and code that an endpoint may respond with, including the ones that all endpoints share.
 * Spec: Endpoints; Decision: Errors, Request limits, Approvals, Database outages
 */
export function endpointErrors(spec: EndpointSpec): Partial<Record<number, readonly ErrorCode[]>> {
  return {
    ...spec.errors,
    ...(spec.errors[402] ? { 402: [...spec.errors[402], 'approval_required' as const] } : {}),
    ...(spec.permission === null ? {} : { 401: ['authentication_error'] }),
    ...(spec.body && spec.body !== 'multipart' ? { 413: ['invalid_request'] } : {}),
    429: ['rate_limit_exceeded'],
    500: ['internal_error'],
    503: [...new Set([...(spec.errors[503] ?? []), ...SERVICE_UNAVAILABLE])],
  };
}
