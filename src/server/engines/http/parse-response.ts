import { EngineError } from '../engine.ts';
import type { UpstreamOutput } from '../save-outputs.ts';
import type { UpstreamHandle } from '../upstream.ts';
import { contentRefusedError, engineRejectedError, isRecord } from '../upstream-errors.ts';
import { type HttpOptions, JOB_STATES, type JobState } from './http-options.ts';

/** Accepts an object, or an id as `{ id }`; null for anything else. */
export function parseHandle(value: unknown): UpstreamHandle | null {
  if (isRecord(value)) return value;
  return typeof value === 'string' || typeof value === 'number' ? { id: value } : null;
}

/** Maps a state through `states`; null for an unknown state. */
export function parseJobState(value: unknown, states: HttpOptions['states']): JobState | null {
  const text = typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  const mapped = states ? (Object.hasOwn(states, text) ? states[text] : undefined) : text;
  return JOB_STATES.find((state) => state === mapped) ?? null;
}

export type FailedJobState = Exclude<JobState, 'working' | 'done'>;

/** @param reason the result of the `error` expression */
export function jobFailureError(state: FailedJobState, reason: unknown, redact: (text: string) => string): EngineError {
  const sentence = typeof reason === 'string' && reason.trim() !== '' ? redact(reason) : null;
  const cause = new Error(`The job is ${state}.`);
  if (state === 'refused') return contentRefusedError(sentence, cause);
  if (state === 'failed') return engineRejectedError({ message: sentence, cause });
  return new EngineError('engine_failed', 'The provider stopped the job before it completed.', {
    retryable: true,
    cause,
  });
}

export const parseProgress = (value: unknown): number | null =>
  typeof value === 'number' ? Math.min(Math.max(value, 0), 1) : null;

/** Parses dollars (a number or text) to micro-dollars; null when invalid. */
export function parseCost(value: unknown): bigint | null {
  const dollars = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  const is_valid = typeof dollars === 'number' && dollars >= 0 && dollars < 1e9;
  return is_valid ? BigInt(Math.round(dollars * 1_000_000)) : null;
}

/** Parses URLs and base64 texts, one or many; null when the list contains anything else. */
export function parseOutputs(value: unknown): UpstreamOutput[] | null {
  const list = value === undefined || value === null ? [] : [value].flat();
  const outputs = list.flatMap((item): UpstreamOutput[] => {
    if (typeof item === 'string' && item !== '') return [{ url: item }];
    if (!isRecord(item)) return [];
    if (typeof item['base64'] === 'string') return [{ base64: item['base64'] }];
    return typeof item['url'] === 'string' ? [{ url: item['url'] }] : [];
  });
  return outputs.length === list.length ? outputs : null;
}
