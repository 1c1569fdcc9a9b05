import type { UpstreamOutput } from '../save-outputs.ts';
import type { UpstreamHandle } from '../upstream.ts';
import { isRecord } from '../upstream-answers.ts';

/** What `handle` gave: an object as it is, an id as `{ id }`; null where there is none. */
export function handleOf(value: unknown): UpstreamHandle | null {
  if (isRecord(value)) return value;
  return typeof value === 'string' || typeof value === 'number' ? { id: value } : null;
}

/** What `failed` or `refused` gave: a sentence, '' for a bare true, null for no. */
export function statementOf(value: unknown): string | null {
  if (value === undefined || value === null || value === false || value === '') return null;
  return typeof value === 'string' ? value : '';
}

export const progressOf = (value: unknown): number | null =>
  typeof value === 'number' ? Math.min(Math.max(value, 0), 1) : null;

/** Dollars, as a number or text, in micro-dollars; null where they are none. */
export function costOf(value: unknown): bigint | null {
  const dollars = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  const sound = typeof dollars === 'number' && dollars >= 0 && dollars < 1e9;
  return sound ? BigInt(Math.round(dollars * 1_000_000)) : null;
}

/** What `outputs` gave: addresses and base64 texts, one or many; null where something else is among them. */
export function outputsOf(value: unknown): UpstreamOutput[] | null {
  const list = value === undefined || value === null ? [] : [value].flat();
  const outputs = list.flatMap((item): UpstreamOutput[] => {
    if (typeof item === 'string' && item !== '') return [{ url: item }];
    if (!isRecord(item)) return [];
    if (typeof item['base64'] === 'string') return [{ base64: item['base64'] }];
    return typeof item['url'] === 'string' ? [{ url: item['url'] }] : [];
  });
  return outputs.length === list.length ? outputs : null;
}
