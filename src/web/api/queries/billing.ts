import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { BodyInput } from '#contract/endpoints.ts';
import type { LedgerEntry } from '#contract/resources/billing.ts';
import { api } from '../api.ts';
import { createIdempotencyKeys } from './idempotency-key.ts';
import { type EndpointFilters, queryKeys } from './query-keys.ts';
import { useLiveList } from './use-live-list.ts';

const LEDGER_PAGE_SIZE = 100;

export type LedgerFilters = EndpointFilters<'list_ledger'>;

/** Interned, because many entries share them. */
const internedTexts = new Map<string, string>();
const internedKeys = new Map<string, NonNullable<LedgerEntry['created_by']>>();
const internText = (text: string) => internedTexts.get(text) ?? (internedTexts.set(text, text), text);
const internKey = (key: NonNullable<LedgerEntry['created_by']>) =>
  internedKeys.get(key.id) ?? (internedKeys.set(key.id, key), key);

/**
 * Copies the fields that the list needs. With a hundred thousand entries each byte counts; the hash is in the export.
 */
const toListEntry = (entry: LedgerEntry): LedgerEntry => ({
  id: entry.id,
  object: entry.object,
  type: entry.type,
  amount_usd: entry.amount_usd,
  available_after_usd: entry.available_after_usd,
  balance_after_usd: entry.balance_after_usd,
  generation_id: entry.generation_id,
  workflow_run_id: entry.workflow_run_id,
  description: internText(entry.description),
  created_by: entry.created_by && internKey(entry.created_by),
  key: entry.key && internKey(entry.key),
  created_at: entry.created_at,
  seq: entry.seq,
});

/**
 * The ledger, newest entry first.
 * @param filters pass the same object while the filters are the same
 */
export function useLedger(filters: LedgerFilters) {
  const listKey = useMemo(() => queryKeys.ledger(filters), [filters]);
  const headKey = useMemo(() => queryKeys.billing.ledgerHead(filters), [filters]);
  return useLiveList<LedgerEntry>({
    listKey,
    headKey,
    loadPage: async (cursor, signal) => {
      const query = { ...filters, limit: LEDGER_PAGE_SIZE, ...(cursor ? { cursor } : {}) };
      const page = await api.call('list_ledger', { query, signal });
      return { ...page, data: page.data.map(toListEntry) };
    },
    poll_ms: () => false,
  });
}

/**
 * Adds credit, or removes it with a negative amount. Needs an organization key. While mounted, it credits the same body
 * once however often it is sent.
 */
export function useAddCredit() {
  const client = useQueryClient();
  const [keyOf] = useState(createIdempotencyKeys);
  return useMutation<LedgerEntry, Error, BodyInput<'create_credit'>>({
    mutationFn: (body) => api.call('create_credit', { body, idempotency_key: keyOf(body) }),
    onSettled: () => client.invalidateQueries({ queryKey: queryKeys.billing.all }),
  });
}
