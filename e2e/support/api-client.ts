import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { BillingSummary } from '#contract/resources/billing.ts';
import type { LedgerEntry } from '#contract/resources/ledger.ts';
import { isActive } from '#contract/statuses.ts';
import type { Generation, GenerationCreate } from '#contract/resources/generation.ts';
import type { ProviderBill } from '#contract/resources/provider-bill.ts';
import type { Upload } from '#contract/resources/upload.ts';
import type { Service } from './service.ts';

type Target = Pick<Service, 'url' | 'key'>;

/**
 * Sends a request with the service's key.
 * @throws {Error} with the response's text where it is not 2xx
 */
export async function call<T>({ url, key }: Target, method: string, to: string, body?: unknown): Promise<T> {
  const form = body instanceof FormData;
  const answer = await fetch(url + to, {
    method,
    headers: { authorization: `Bearer ${key}`, ...(body && !form ? { 'content-type': 'application/json' } : {}) },
    ...(body === undefined ? {} : { body: form ? body : JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${to}: ${answer.status} ${text}`);
  return (text ? JSON.parse(text) : undefined) as T;
}

export const postGeneration = (service: Target, body: GenerationCreate) =>
  call<Generation>(service, 'POST', '/v1/generations', body);

export const fetchGeneration = (service: Target, id: string) =>
  call<Generation>(service, 'GET', `/v1/generations/${id}`);

export const fetchBillingSummary = (service: Target) => call<BillingSummary>(service, 'GET', '/v1/billing/summary');

export async function uploadFile(service: Target, file: string): Promise<Upload> {
  const form = new FormData();
  form.append('file', new Blob([await readFile(file)]), path.basename(file));
  return call<Upload>(service, 'POST', '/v1/uploads', form);
}

/** Stores a bill, of October 2026 where no other month is named. @returns its id */
export async function addBill(
  { url, key }: Target,
  text: string,
  { provider_id = 'file:painter', month = '2026-10' }: { provider_id?: string; month?: string } = {},
): Promise<string> {
  const query = new URLSearchParams({ provider_id, month, filename: `${month}.csv` });
  const answer = await fetch(`${url}/v1/billing/bills?${query}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}` },
    body: text,
  });
  if (!answer.ok) throw new Error(await answer.text());
  return ((await answer.json()) as ProviderBill).id;
}

/**
 * Waits until a generation is complete.
 * @throws {Error} after `withinMs`
 */
export async function waitForGeneration(service: Target, id: string, withinMs = 60_000): Promise<Generation> {
  const deadlineMs = Date.now() + withinMs;
  for (;;) {
    const generation = await fetchGeneration(service, id);
    if (!isActive(generation.status)) return generation;
    if (Date.now() > deadlineMs) throw new Error(`${id} is still ${generation.status} after ${withinMs} ms`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

async function fetchAll<T>(service: Target, to: string): Promise<T[]> {
  const found: T[] = [];
  let cursor: string | null = null;
  do {
    const after: string = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const page = await call<{ data: T[]; next_cursor: string | null }>(service, 'GET', `${to}?limit=100${after}`);
    found.push(...page.data);
    cursor = page.next_cursor;
  } while (cursor !== null);
  return found;
}

export const fetchLedger = (service: Target) => fetchAll<LedgerEntry>(service, '/v1/billing/ledger');
