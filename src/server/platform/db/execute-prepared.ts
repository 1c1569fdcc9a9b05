import type { Tx } from './db.ts';

const names = new Map<string, string>();

/**
 * Executes a statement that each connection plans only once, where planning takes longer than the statement.
 * @param text one of a few: each is kept for good
 */
export async function executePrepared<Row>(tx: Tx, text: string, params: unknown[] = []): Promise<{ rows: Row[] }> {
  const name = names.get(text) ?? `prepared_${names.size}`;
  names.set(text, name);
  const statement = tx._.session.prepareQuery({ sql: text, params }, undefined, name, false);
  return (await statement.execute()) as { rows: Row[] };
}
