import { EngineError } from '../engine.ts';
import type { UpstreamOutput } from '../save-outputs.ts';
import type { UpstreamHandle } from '../upstream.ts';
import { contentRefusedError, engineRejectedError, isRecord } from '../upstream-errors.ts';
import { type HttpOptions, JOB_STATES, type JobState } from './http-options.ts';

/** What `handle` gave: an object as it is, an id as `{ id }`; null where there is none. */
export function parseHandle(value: unknown): UpstreamHandle | null {
  if (isRecord(value)) return value;
  return typeof value === 'string' || typeof value === 'number' ? { id: value } : null;
}

/** What `state` gave, in our words; null where it is none of them. */
export function parseJobState(value: unknown, states: HttpOptions['states']): JobState | null {
  const word = typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  const ours = states ? (Object.hasOwn(states, word) ? states[word] : undefined) : word;
  return JOB_STATES.find((state) => state === ours) ?? null;
}

/** Why a job ended badly, for the person. @param reason what `error` gave */
export function jobFailureError(
  state: Exclude<JobState, 'working' | 'done'>,
  reason: unknown,
  clean: (text: string) => string,
): EngineError {
  const sentence = typeof reason === 'string' && reason.trim() !== '' ? clean(reason) : null;
  const cause = new Error(`The job is ${state}.`);
  if (state === 'refused') return contentRefusedError(sentence, cause);
  if (state === 'failed') return engineRejectedError({ message: sentence, cause });
  return new EngineError('engine_failed', 'The engine stopped this before it was done.', { retryable: true, cause });
}

export const parseProgress = (value: unknown): number | null =>
  typeof value === 'number' ? Math.min(Math.max(value, 0), 1) : null;

/** Dollars, as a number or text, in micro-dollars; null where they are none. */
export function parseCost(value: unknown): bigint | null {
  const dollars = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  const sound = typeof dollars === 'number' && dollars >= 0 && dollars < 1e9;
  return sound ? BigInt(Math.round(dollars * 1_000_000)) : null;
}

/** What `outputs` gave: addresses and base64 texts, one or many; null where something else is among them. */
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
