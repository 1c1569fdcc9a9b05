import type { Client } from 'pg';
import type { RecordedStatement } from './record-statements.ts';

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Index Cond'?: string;
  Plans?: PlanNode[];
}

const EXPLAINABLE = /^\s*(?:select|with|insert|update|delete)\b/i;

/**
 * Returns what a statement would read as a whole from tables: by a sequential scan although these are switched off, which
 * means that no index fits, or by an index without a condition, unless it is partial or in the order of a limited list.
 */
export async function findWholeReads(
  client: Client,
  { text, values }: RecordedStatement,
  partialIndexes: ReadonlySet<string>,
): Promise<{ table: string; how: string }[]> {
  if (!EXPLAINABLE.test(text)) return [];
  const { rows } = await client.query<{ 'QUERY PLAN': { Plan: PlanNode }[] }>({
    text: `explain (format json) ${text}`,
    values: [...values],
  });
  const [explained] = rows[0]?.['QUERY PLAN'] ?? [];
  return explained ? [...wholeReads(explained.Plan, partialIndexes)] : [];
}

function* wholeReads(
  node: PlanNode,
  partialIndexes: ReadonlySet<string>,
  isLimited = false,
): Generator<{ table: string; how: string }> {
  const { 'Relation Name': table, 'Index Name': index = '', 'Index Cond': condition } = node;
  const type = node['Node Type'];
  if (table !== undefined && type === 'Seq Scan') yield { table, how: type };
  const isIndexScan = type === 'Index Scan' || type === 'Index Only Scan';
  if (table !== undefined && isIndexScan && condition === undefined && !isLimited && !partialIndexes.has(index))
    yield { table, how: `${type} of ${index} without a condition` };
  for (const child of node.Plans ?? []) yield* wholeReads(child, partialIndexes, isLimited || type === 'Limit');
}

export async function readPartialIndexes(client: Client): Promise<ReadonlySet<string>> {
  const { rows } = await client.query<{ name: string }>(
    'select indexrelid::regclass::text as name from pg_index where indpred is not null',
  );
  return new Set(rows.map(({ name }) => name));
}
