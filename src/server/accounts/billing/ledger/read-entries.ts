import { setImmediate } from 'node:timers/promises';
import { eq } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { ledgerEntries } from '#server/platform/db/schema/billing-schema.ts';
import type { Db } from '#server/platform/db/db.ts';
import { apiKeys } from '#server/platform/db/schema/organization-schema.ts';
import { people } from '#server/platform/db/schema/people-schema.ts';
import { generations, upstreamJobs } from '#server/platform/db/schema/schema.ts';
import { PROMPT_EXCERPT_CHARACTERS, selectPrompt } from '#server/platform/db/select-prompt.ts';
import type { LedgerRow } from './append-entries.ts';
import { type WorkCost, workCostColumns } from './entry-costs.ts';
import type { SeqRange } from './ledger-filter.ts';
import type { EntryKeyNames, EntryWork } from './present-ledger-entry.ts';

/**
 * Entries per query, to block the thread that the embedded database shares with everything for some milliseconds only.
 */
const WINDOW_ENTRIES = 1_000n;

export type NamedEntry = EntryKeyNames & EntryWork & WorkCost & { entry: LedgerRow };

const creatorKeys = alias(apiKeys, 'movers');

export const selectLedgerEntries = (db: Pick<Db, 'select'>) =>
  db
    .select({
      entry: ledgerEntries,
      mover_name: creatorKeys.name,
      key_name: apiKeys.name,
      person_id: people.id,
      person_name: people.name,
      prompt: selectPrompt(PROMPT_EXCERPT_CHARACTERS),
      tags: generations.tags,
      metadata: generations.metadata,
      ...workCostColumns,
    })
    .from(ledgerEntries)
    .leftJoin(creatorKeys, eq(creatorKeys.id, ledgerEntries.created_by))
    .leftJoin(apiKeys, eq(apiKeys.id, ledgerEntries.key_id))
    .leftJoin(people, eq(people.id, apiKeys.person_id))
    .leftJoin(generations, eq(generations.id, ledgerEntries.generation_id))
    .leftJoin(upstreamJobs, eq(upstreamJobs.generation_id, ledgerEntries.generation_id));

/**
 * Splits a range into windows, so that memory and duration of a query do not grow with the ledger. Other work runs in
 * between: queries of the embedded database never yield by themselves.
 */
export async function* seqWindows({ first, end }: SeqRange): AsyncGenerator<SeqRange> {
  for (let at = first; at < end; at += WINDOW_ENTRIES) {
    yield { first: at, end: at + WINDOW_ENTRIES < end ? at + WINDOW_ENTRIES : end };
    await setImmediate();
  }
}
