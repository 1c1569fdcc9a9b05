import type * as z from 'zod/mini';
import type { EndpointSpec } from '#contract/endpoint.ts';
import type { ErrorDetail } from '#contract/errors.ts';
import { toErrorDetails } from '#contract/error-details.ts';
import { ApiError } from '#server/platform/core/api-error.ts';
import { validateJsonValue } from '#server/platform/core/validate-json-value.ts';

const invalidRequestError = (details: readonly ErrorDetail[]): ApiError =>
  new ApiError('invalid_request', details[0]?.message ?? 'The request is not valid.', { status: 422, details });

/** Parses a part of a request. @throws {ApiError} 422 with one detail per problem */
export function decode<T>(schema: z.ZodMiniType<T> | undefined, value: unknown, max_values?: number): T | undefined {
  if (!schema) return undefined;
  const problems = validateJsonValue(value, max_values);
  if (problems.length > 0) throw invalidRequestError(problems);
  const parsed = schema.safeParse(value, { reportInput: true });
  if (parsed.success) return parsed.data;
  throw invalidRequestError(toErrorDetails(parsed.error.issues, ''));
}

/**
 * Parses a query string, in which each parameter may occur once. Endpoints without query parameters ignore them.
 * Decision: Queries
 */
export function decodeQuery(schema: z.ZodMiniType | undefined, query: unknown): unknown {
  if (!schema) return undefined;
  const entries = Object.entries(query ?? {});
  const values = Object.fromEntries(entries.map(([name, value]) => [name, Array.isArray(value) ? value[0] : value]));
  const parsed = schema.safeParse(values, { reportInput: true });
  if (!parsed.success) throw invalidRequestError(toErrorDetails(parsed.error.issues, ''));
  const problems = validateJsonValue(parsed.data);
  if (problems.length > 0) throw invalidRequestError(problems);
  const repeated = entries.filter(([, value]) => Array.isArray(value));
  if (repeated.length > 0)
    throw invalidRequestError(repeated.map(([path]) => ({ path, message: 'Send this parameter once.' })));
  return parsed.data;
}

const IDEMPOTENCY_KEY_PATTERN = /^[\x20-\x7e]{1,255}$/;

/** Reads the Idempotency-Key of a request if its endpoint accepts one. Decision: Idempotency */
export function decodeIdempotencyKey(spec: EndpointSpec, header: string | string[] | undefined): string | undefined {
  if (!spec.idempotency) return undefined;
  const key = Array.isArray(header) ? header.join(', ') : header;
  if (spec.idempotency === 'required' && !key) {
    throw new ApiError('idempotency_key_required', 'Send an Idempotency-Key header.');
  }
  if (key === undefined || IDEMPOTENCY_KEY_PATTERN.test(key)) return key;
  throw new ApiError('invalid_request', 'An Idempotency-Key has 1 to 255 printable ASCII characters.', { status: 400 });
}

export function rejectBody(body: unknown): void {
  const isEmpty = typeof body === 'object' && body !== null && !Array.isArray(body) && Object.keys(body).length === 0;
  if (body !== undefined && !isEmpty)
    throw new ApiError('invalid_request', 'This endpoint takes no body.', { status: 422 });
}
