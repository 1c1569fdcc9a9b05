import { queryOptions } from '@tanstack/react-query';
import type { List } from '#contract/primitives.ts';
import type { LedgerEntry, LedgerLine } from '#contract/resources/ledger.ts';
import type { Generation } from '#contract/resources/generation.ts';
import { api } from '../api.ts';
import { apiQuery, type EndpointFilters } from '../api-query.ts';
import { useLiveList } from '../use-live-list.ts';

const PAGE_SIZE = 100;
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
async function fillPage<T, U>(first: List<T>, more: (cursor: string) => Promise<List<T>>, toItem: (item: T) => U) {
  let page = first;
  for (let count = 0; count < MAX_EMPTY_PAGES && page.data.length === 0 && page.next_cursor !== null; count += 1) {
    page = await more(page.next_cursor);
  }
  return { ...page, data: page.data.map(toItem) };
}

/** The ledger, newest entry first. */
export const useLedger = (filters: LedgerFilters) =>
  useLiveList({
    name: 'list_ledger',
    request: { query: { ...filters, limit: PAGE_SIZE } },
    read: (page, more) => fillPage(page, more, toListEntry),
    poll: () => false,
  });

/** Charges and other movements of money, one line each, newest first. */
export const useLedgerLines = (filters: LedgerFilters) =>
  useLiveList({
    name: 'list_ledger_lines',
    request: { query: { ...filters, limit: PAGE_SIZE } },
    read: (page, more) => fillPage(page, more, toListLine),
    poll: (rows) => rows.slice(0, PAGE_SIZE).some(({ status }) => status === 'reserved') && RESERVED_POLL_MS,
  });

/** One entry with its hashes, neighbors and the entries of its generation. */
export const ledgerEntryQuery = (id: string) => apiQuery('get_ledger_entry', { params: { entry_id: id } });

/** The ledger entries of a generation, oldest first. Only the first hundred are read. */
export const generationLedgerQuery = ({ id, updated_at }: Pick<Generation, 'id' | 'updated_at'>) =>
  queryOptions({
    // The transaction that changes the generation also appends its entries.
    queryKey: ['list_ledger', { query: { generation_id: id } }, 'trail', updated_at],
    queryFn: async ({ signal }) => {
      const page = await api.call('list_ledger', { query: { generation_id: id, limit: 100 }, signal });
      return page.data.toReversed();
    },
  });
