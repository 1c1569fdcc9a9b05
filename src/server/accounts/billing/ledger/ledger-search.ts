import { and, eq } from 'drizzle-orm';
import { parseUsd } from '#contract/money/money.ts';
import { hasAllWords, toSearchQuery } from '#server/platform/core/search-words.ts';
import { ledgerEntries } from '#server/platform/db/schema/billing-schema.ts';
import type { Db } from '#server/platform/db/db.ts';
import { findByRequestId } from '#server/accounts/billing/find-by-request-id.ts';
import type { LedgerFilter } from './ledger-filter.ts';
import { readDimensionNames } from '#server/accounts/billing/reports/dimensions.ts';

const NUMBER = /^#?\s*([1-9]\d{0,14})$/;
const ENTRY_ID = /^led_\w{1,60}$/;
const GENERATION_ID = /^gen_\w{1,60}$/;
const RUN_ID = /^run_\w{1,60}$/;
/** With a dollar sign, cents or a sign: a bare number is that of an entry. */
const AMOUNT = /^(?=.*[$.+\-−])[+\-−]?\s*(?:\$\s*)?(\d{1,3}(?:,\d{3})+|\d{1,9})(\.\d{1,6})?$/;

type Search = Pick<LedgerFilter, 'seq' | 'generation_id' | 'workflow_run_id' | 'amount_micro_usd' | 'words'> & {
  entry_id?: string;
};

/** Reads what a search is for, by its form; null if nothing can match. Decision: Ledger search */
export function parseLedgerSearch(text: string | undefined): Search | null {
  if (text === undefined) return {};
  const q = text.trim();
  const [, number] = NUMBER.exec(q) ?? [];
  if (number !== undefined) return { seq: number };
  if (ENTRY_ID.test(q)) return { entry_id: q };
  if (GENERATION_ID.test(q)) return { generation_id: q };
  if (RUN_ID.test(q)) return { workflow_run_id: q };
  const [, whole, decimals = ''] = AMOUNT.exec(q) ?? [];
  if (whole !== undefined) return { amount_micro_usd: parseUsd(whole.replaceAll(',', '') + decimals) };
  const words = toSearchQuery(q);
  return words === null ? null : { words };
}

/** Matches no entry. */
const nothing = (filter: LedgerFilter): LedgerFilter => ({ ...filter, key_ids: [] });

/**
 * Adds a search to a filter.
 * @param asLines one entry then stands for all entries of its generation
 */
export async function resolveLedgerSearch(
  db: Db,
  organizationId: string,
  { q, ...filter }: LedgerFilter & { q?: string | undefined },
  asLines = false,
): Promise<LedgerFilter> {
  const requested = filter.seesCosts ? await findByRequestId(db, organizationId, q) : null;
  const search = requested === null ? parseLedgerSearch(q) : { generation_id: requested };
  if (search === null) return nothing(filter);
  const { entry_id, ...found } = search;
  if (found.words !== undefined) {
    const namedKeyIds = await findNamedKeys(db, organizationId, q ?? '');
    return { ...filter, ...found, namedKeyIds };
  }
  const isContradiction = (['seq', 'generation_id', 'workflow_run_id'] as const).some(
    (name) => found[name] !== undefined && filter[name] !== undefined && found[name] !== filter[name],
  );
  if (isContradiction) return nothing(filter);
  const resolved = { ...filter, ...found };
  if (entry_id === undefined && !(asLines && resolved.seq)) return resolved;
  const [entry] = await db
    .select({ seq: ledgerEntries.seq, generation_id: ledgerEntries.generation_id })
    .from(ledgerEntries)
    .where(
      and(
        eq(ledgerEntries.organization_id, organizationId),
        entry_id === undefined ? undefined : eq(ledgerEntries.id, entry_id),
        resolved.seq === undefined ? undefined : eq(ledgerEntries.seq, BigInt(resolved.seq)),
      ),
    );
  if (!entry) return nothing(filter);
  const { generation_id } = entry;
  if (!asLines || generation_id === null) return { ...resolved, seq: String(entry.seq) };
  if (resolved.generation_id !== undefined && resolved.generation_id !== generation_id) return nothing(filter);
  return { ...resolved, seq: undefined, generation_id };
}

/** Returns the keys that have all words in their name, or in that of their person. */
async function findNamedKeys(db: Db, organizationId: string, q: string): Promise<string[]> {
  const { keys, people } = await readDimensionNames(db, organizationId);
  return [...keys]
    .filter(([id, name]) => hasAllWords(name, q) || hasAllWords(people.get(id)?.name ?? '', q))
    .map(([id]) => id);
}
