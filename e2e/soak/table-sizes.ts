/** Runs one statement. */
export type ReadRows = <Row>(text: string) => Promise<Row[]>;

export interface TableSize {
  name: string;
  rows: number;
  mib: number;
  /** Rows that should have been deleted; null where rows are kept for good. */
  overdue: number | null;
}

const LARGEST = 14;

/** Rows that outlived their time and the hourly cleanup. Rules: "Data that goes by itself" in docs/operations.md */
const OVERDUE: Readonly<Record<string, string>> = {
  'public.idempotency_keys': `created_at < now() - interval '26 hours'`,
  'public.webhook_events': `created_at < now() - interval '30 days 2 hours' and not exists (
    select from webhook_deliveries where event_id = webhook_events.id and status = 'pending')`,
  'public.webhook_deliveries': `status <> 'pending' and created_at < now() - interval '30 days 2 hours'`,
  'public.webhook_attempts': `at < now() - interval '60 days'`,
  'public.sessions': `expires_at < now() - interval '2 hours'
    or (select count(*) from sessions s where s.key_id = sessions.key_id and s.expires_at > now()) > 100`,
  'public.sign_in_tokens': `expires_at < now() - interval '2 hours'
    or (select count(*) from sign_in_tokens s where s.key_id = sign_in_tokens.key_id and s.expires_at > now()) > 20`,
  'public.rate_limits': `false`,
  'pgboss.job': `state in ('completed', 'cancelled', 'failed')
    and completed_on < now() - deletion_seconds * interval '1 second' - interval '3 minutes'`,
};

/** Counts the rows of the largest tables and of those that clean up after themselves. */
export async function readTableSizes(read: ReadRows): Promise<TableSize[]> {
  const sizes = await read<{ name: string; mib: number }>(
    `select relnamespace::regnamespace || '.' || relname as name,
       coalesce((select sum(pg_total_relation_size(relid)) from pg_partition_tree(oid)), pg_total_relation_size(oid)) / 1048576.0 as mib
     from pg_class where relkind in ('r', 'p') and not relispartition
       and relnamespace::regnamespace::text in ('public', 'pgboss')
     order by mib desc`,
  );
  const shown = sizes.filter(({ name }, index) => index < LARGEST || name in OVERDUE);
  const counts = shown.map(
    ({ name }) =>
      `select '${name}' as name, count(*)::int as rows,
         ${name in OVERDUE ? `count(*) filter (where ${OVERDUE[name]})::int` : 'null::int'} as overdue from ${name}`,
  );
  const counted = await read<{ name: string; rows: number; overdue: number | null }>(counts.join(' union all '));
  return shown.map(({ name, mib }) => {
    const { rows = 0, overdue = null } = counted.find((row) => row.name === name) ?? {};
    return { name, mib: Number(mib), rows, overdue };
  });
}
