import { sql } from 'drizzle-orm';
import { readRows } from '#server/platform/db/rows/list-tables.ts';
import type { Deps } from '#server/platform/deps.ts';
import { findPreset } from '#server/models/providers/presets.ts';
import type { ProviderId } from '#contract/providers.ts';

interface QueueGauge {
  kind: string;
  depth: number;
  oldest_age_seconds: number;
}

interface ActiveGauge {
  status: string;
  provider: string;
  count: number;
}

interface FundsGauge {
  organization: string;
  available: number;
  reserved: number;
  spent: number;
}

export interface DatabaseGauges {
  queues: QueueGauge[];
  active: ActiveGauge[];
  verification: { failed: number; age_seconds: number | null };
  funds: FundsGauge[];
}

/** What runs at no provider. */
export const LOCAL_PROVIDER = 'local';
/** What waits may still go to any provider. */
export const NO_PROVIDER = 'none';
const MAX_ORGANIZATIONS = 100;

/** Each part reads a partial index of what is unfinished, so its time does not grow with what is done. */
export async function readGauges(db: Deps['db'], hasFunds: boolean): Promise<DatabaseGauges> {
  return {
    queues: await readRows<QueueGauge>(db, QUEUES),
    active: (await readRows<ActiveGauge & { provider: string | null }>(db, ACTIVE)).map((row) => ({
      ...row,
      provider: row.status === 'running' ? providerLabel(row.provider) : NO_PROVIDER,
    })),
    verification: (await readRows<DatabaseGauges['verification']>(db, VERIFICATION))[0] ?? {
      failed: 0,
      age_seconds: null,
    },
    funds: hasFunds ? await readRows<FundsGauge>(db, FUNDS) : [],
  };
}

export const providerLabel = (provider: string | null): string =>
  provider === null ? LOCAL_PROVIDER : (findPreset(provider as ProviderId)?.name ?? provider);

const age = (column: string) => sql.raw(`coalesce(greatest(extract(epoch from now() - min(${column})), 0), 0)::float8`);

/** `webhook.deliver` counts from when a delivery was due: one that waits for its next attempt is not late. */
const QUEUES = sql`
  select lane as kind, count(*)::int as depth, ${age('created_at')} as oldest_age_seconds
    from generations where status = 'queued' group by lane
  union all select 'workflow.advance', count(*)::int, ${age('created_at')}
    from workflow_runs where status in ('queued', 'running')
  union all select 'webhook.deliver', count(*)::int, ${age('next_attempt_at')}
    from webhook_deliveries where status = 'pending'
  union all select 'media.derive', count(*)::int, ${age('created_at')}
    from media_derivations where state = 'waiting'
  union all select name, (queued_count + active_count)::int, 0::float8
    from pgboss.queue where name in ('mail.send', 'alerts.check', 'ledger.verify')`;

/** Names of engines end with task and model, which would make too many series. */
const ACTIVE = sql`
  select g.status, coalesce(c.provider, split_part(u.engine, '/', 1)) as provider, count(*)::int as count
    from generations g
    left join upstream_jobs u on u.generation_id = g.id and g.status <> 'queued'
    left join provider_connections c on c.id = u.connection_id
    where g.status in ('queued', 'running')
    group by 1, 2
  union all
  select 'manual_review', null, count(*)::int from generations
    where billing_status = 'reserved' and status = 'manual_review'`;

const VERIFICATION = sql`
  select count(*) filter (where not ok)::int as failed,
    extract(epoch from now() - min(completed_at))::float8 as age_seconds
  from (select distinct on (organization_id) ok, completed_at from ledger_verifications
    order by organization_id, date desc) as newest`;

const FUNDS = sql`
  select organization_id as organization, available_micro_usd::float8 / 1e6 as available,
    reserved_micro_usd::float8 / 1e6 as reserved, spent_micro_usd::float8 / 1e6 as spent
  from accounts order by organization_id limit ${sql.raw(String(MAX_ORGANIZATIONS))}`;

/** Reads the providers of generations that have this status now; others were not committed, or changed again. */
export const readOutcomes = (
  db: Deps['db'],
  ids: readonly string[],
): Promise<{ id: string; status: string; provider: string | null }[]> =>
  readRows(
    db,
    sql`select g.id, g.status, coalesce(c.provider, split_part(u.engine, '/', 1)) as provider from generations g
      left join upstream_jobs u on u.generation_id = g.id
      left join provider_connections c on c.id = u.connection_id
      where g.id = any(${sql.param([...ids])}::text[])`,
  );
