import { type SQL, sql } from 'drizzle-orm';
import { formatUsd } from '#contract/money/money.ts';
import { createId } from '#server/platform/core/create-id.ts';
import type { Db } from '#server/platform/db/db.ts';
import { apiKeys, organizations } from '#server/platform/db/schema/organization-schema.ts';
import { generations } from '#server/platform/db/schema/schema.ts';
import { sqlStateOf } from '#server/platform/db/postgres/sql-state.ts';
import { type EntryDraft, appendEntries } from '#server/accounts/billing/ledger/append-entries.ts';

export const GENERATIONS = 12;
export const NOW = new Date('2026-07-01T00:00:00.000Z');

/** Of the generations in turn: none, one and several, with texts that need escaping. */
export const TAG_SETS: readonly Readonly<Record<string, string>>[] = [
  {},
  { client: 'acme' },
  { client: 'Acme “ü”\n\\"😀', project: '(x) y' },
];

/** An organization whose entries are appended without the service. */
export interface LedgerSide {
  db: Db;
  organization_id: string;
  key_id: string;
  ids: readonly string[];
  bills: Map<string, SQL>;
}

export async function openLedgerSide(db: Db): Promise<LedgerSide> {
  const [organization_id, key_id] = [createId('org', NOW), createId('key', NOW)];
  const ids = Array.from({ length: GENERATIONS }, () => createId('gen', NOW));
  await db.transaction(async (tx) => {
    await tx.insert(organizations).values({ id: organization_id, name: 'x', created_at: NOW });
    const key = {
      id: key_id,
      organization_id,
      name: 'x',
      kind: 'member',
      secret_sha256: key_id,
      created_at: NOW,
    } as const;
    await tx.insert(apiKeys).values(key);
    const made = {
      organization_id,
      task: 'image.create',
      model: 'imgmodel-a-2',
      status: 'failed',
      input: {},
      amount_micro_usd: 0n,
      line_items: [],
      billing_status: 'released',
      created_by: key_id,
      created_at: NOW,
      updated_at: NOW,
    } satisfies Omit<typeof generations.$inferInsert, 'id' | 'chain_id'>;
    const values = ids.map((id, index) => ({ ...made, id, chain_id: id, tags: TAG_SETS[index % TAG_SETS.length] }));
    await tx.insert(generations).values(values);
  });
  return { db, organization_id, key_id, ids, bills: new Map() };
}

export const draftsOf = (
  { ids, key_id }: LedgerSide,
  moves: readonly [type: EntryDraft['type'], amount: bigint, pick?: number][],
) =>
  moves.map(([type, amount_micro_usd, pick]): EntryDraft => ({
    type,
    amount_micro_usd,
    description: 'x',
    created_by: null,
    ...(pick === undefined
      ? {}
      : { generation_id: ids[pick] ?? '', task: 'image.create', model: 'imgmodel-a-2', key_id }),
  }));

const BILLING = { RESERVE: 'reserved', RELEASE: 'released', SETTLE: 'settled' } as const;

function noteBills({ bills }: LedgerSide, drafts: readonly EntryDraft[]): undefined {
  for (const { type, generation_id, amount_micro_usd } of drafts) {
    if (!generation_id || (type !== 'RESERVE' && type !== 'RELEASE' && type !== 'SETTLE')) continue;
    const size = amount_micro_usd < 0n ? -amount_micro_usd : amount_micro_usd;
    const items = JSON.stringify([{ description: 'x', amount_usd: formatUsd(size) }]);
    bills.set(generation_id, sql`(${generation_id}::text, ${BILLING[type]}::text, ${size}::bigint, ${items}::jsonb)`);
  }
}

/** Updates the generations to match their entries, as the service does in the same transaction. */
export async function keepBills({ db, bills }: LedgerSide): Promise<void> {
  if (bills.size === 0) return;
  await db.execute(sql`update generations set billing_status = bill.status, amount_micro_usd = bill.amount, line_items = bill.items
    from (values ${sql.join([...bills.values()], sql`, `)}) as bill (id, status, amount, items) where generations.id = bill.id`);
}

/** @returns the SQLSTATE of the rejection; undefined on success */
export async function append(side: LedgerSide, drafts: readonly EntryDraft[]): Promise<string | undefined> {
  const { db, organization_id } = side;
  return db
    .transaction((tx) => appendEntries(tx, organization_id, drafts, NOW))
    .then(
      () => noteBills(side, drafts),
      (error: unknown) => sqlStateOf(error) ?? String(error),
    );
}
