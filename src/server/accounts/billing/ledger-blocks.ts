import { sql } from 'drizzle-orm';
import type { Db, Tx } from '#server/platform/db/db.ts';
import { readRows } from '#server/platform/db/rows/list-tables.ts';

/** Entries of a small and of a large block. Values of tags have large ones only: an index has their entries. */
export const BLOCK_SIZES = { small: 10_000, large: 100_000 } as const;
export type BlockSizes = Record<'small' | 'large', number>;

/** Blocks of one organization that one run adds, so that others get their turn. */
const MAX_BLOCKS = 500;

/** Adds the sums of blocks that are full. @returns how many blocks were added */
export async function sumFullBlocks(db: Db, sizes: BlockSizes = BLOCK_SIZES): Promise<number> {
  let added = 0;
  for (const size of [sizes.small, sizes.large]) {
    const organizations = await readRows<{ id: string; next: number; full: number }>(
      db,
      sql`select a.organization_id as id, coalesce(newest.block + 1, 0)::int as next, (a.last_seq / ${size}::int)::int as full
        from accounts a left join lateral (
          select s.block from ledger_block_sums s where s.organization_id = a.organization_id and s.tag = '' and s.size = ${size}
          order by s.block desc limit 1
        ) newest on true
        where a.last_seq / ${size}::int > coalesce(newest.block + 1, 0)`,
    );
    for (const { id, next, full } of organizations) {
      for (let block = next; block < Math.min(full, next + MAX_BLOCKS); block += 1, added += 1)
        await db.transaction((tx) => addBlock(tx, id, { size, block, has_values: size === sizes.large }));
    }
  }
  return added;
}
interface Block {
  size: number;
  block: number;
  has_values: boolean;
}

/** Another worker may add the same rows. Sums of tags are not divided by key, task and model. */
async function addBlock(tx: Tx, organization_id: string, { size, block, has_values }: Block): Promise<void> {
  const first = BigInt(block) * BigInt(size) + 1n;
  const in_block = sql`e.organization_id = ${organization_id} and e.seq >= ${first} and e.seq < ${first + BigInt(size)}`;
  const insert = sql`insert into ledger_block_sums (organization_id, tag, size, block, type, key_id, task, model, amount_micro_usd, count)`;
  const values = (key: string, task: string, model: string) =>
    sql`${size}::int, ${block}::int, e.type, ${sql.raw(`${key}, ${task}, ${model}`)}, sum(e.amount_micro_usd), count(*)
      from ledger_entries e`;
  await tx.execute(sql`${insert} select e.organization_id, '', ${values("coalesce(e.key_id, '')", "coalesce(e.task, '')", "coalesce(e.model, '')")}
    where ${in_block} group by e.organization_id, e.type, e.key_id, e.task, e.model on conflict do nothing`);
  await tx.execute(sql`${insert} select e.organization_id, label.tag, ${values("''", "''", "''")}
    join generations g on g.id = e.generation_id and g.tags <> '{}'::jsonb
    cross join lateral jsonb_each_text(g.tags) as tags (name, value)
    cross join lateral (values (tags.name)${has_values ? sql`, (tags.name || '=' || tags.value)` : sql``}) as label (tag)
    where ${in_block} group by e.organization_id, label.tag, e.type on conflict do nothing`);
}
