import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { BodyInput } from '#contract/endpoints.ts';
import type { List } from '#contract/primitives.ts';
import type { LedgerEntry, LedgerLine } from '#contract/resources/ledger.ts';
import { api } from '../api.ts';
import { createIdempotencyKeys } from './idempotency-key.ts';
import { type EndpointFilters, queryKeys } from './query-keys.ts';
import { useLiveList } from './use-live-list.ts';

const LEDGER_PAGE_SIZE = 100;
const MAX_SHOWN_PROMPT = 160;
const MAX_EMPTY_PAGES = 20;
/** A line changes until its work is finished. */
const RESERVED_POLL_MS = 5_000;

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
  person: entry.person && internKey(entry.person),
  prompt: entry.prompt?.slice(0, MAX_SHOWN_PROMPT) ?? null,
  ...(entry.tags && { tags: entry.tags }),
});

const toListLine = (line: LedgerLine): LedgerLine & { updated_at: string } => ({
  ...line,
  description: internText(line.description),
  prompt: line.prompt?.slice(0, MAX_SHOWN_PROMPT) ?? null,
  created_by: line.created_by && internKey(line.created_by),
  key: line.key && internKey(line.key),
  person: line.person && internKey(line.person),
  updated_at: line.last_entry_at,
});

/** Reads on over pages without a match, up to a bound: where a filter has no index, the service may return such. */
async function readFilledPage<T>(read: (cursor: string | null) => Promise<List<T>>, cursor: string | null) {
  let page = await read(cursor);
  for (let more = 0; more < MAX_EMPTY_PAGES && page.data.length === 0 && page.next_cursor !== null; more += 1) {
    page = await read(page.next_cursor);
  }
  return page;
}

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
      const page = await readFilledPage(
        (at) => api.call('list_ledger', { query: { ...filters, limit: LEDGER_PAGE_SIZE, cursor: at ?? '' }, signal }),
        cursor,
      );
      return { ...page, data: page.data.map(toListEntry) };
    },
    poll_ms: () => false,
  });
}

/**
 * Charges and other movements of money, one line each, newest first. An addition.
 * @param filters pass the same object while the filters are the same
 */
export function useLedgerLines(filters: LedgerFilters) {
  const listKey = useMemo(() => queryKeys.ledgerLines.list(filters), [filters]);
  const headKey = useMemo(() => queryKeys.billing.ledgerLinesHead(filters), [filters]);
  return useLiveList<LedgerLine & { updated_at: string }>({
    listKey,
    headKey,
    loadPage: async (cursor, signal) => {
      const page = await readFilledPage(
        (at) =>
          api.call('list_ledger_lines', { query: { ...filters, limit: LEDGER_PAGE_SIZE, cursor: at ?? '' }, signal }),
        cursor,
      );
      return { ...page, data: page.data.map(toListLine) };
    },
    poll_ms: (rows) => rows.slice(0, LEDGER_PAGE_SIZE).some(({ status }) => status === 'reserved') && RESERVED_POLL_MS,
  });
}

/** One entry with its hashes, neighbors and the entries of its generation. An addition. */
export const ledgerEntryQuery = (entry_id: string) =>
  queryOptions({
    queryKey: queryKeys.billing.ledgerEntry(entry_id),
    queryFn: ({ signal }) => api.call('get_ledger_entry', { params: { entry_id }, signal }),
  });

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
