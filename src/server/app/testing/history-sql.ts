import { type SQL, sql } from 'drizzle-orm';
import type { ModelId, TaskId } from '#contract/ids.ts';

export interface HistoryOptions {
  /** Gets nearly all rows. */
  organization_id: string;
  /** Gets one generation of 40. */
  neighborId: string;
  /** Generations of both. Each leaves about 2.5 ledger entries and 0.8 media. */
  generations: number;
  /** Where the history of a year ends. */
  now: Date;
}

interface HistorySqlOptions extends HistoryOptions {
  key_ids: readonly string[];
  neighborKeyId: string;
}

/** Of 100 generations; the last pair is rare. */
const WORK: readonly [TaskId, ModelId | null, number][] = [
  ['image.create', 'imgmodel-a-2', 32],
  ['image.create', 'imgmodel-b-pro', 12],
  ['image.create', 'imgmodel-b-2', 6],
  ['image.edit', 'imgmodel-a-2', 10],
  ['image.edit', 'imgmodel-b-pro', 5],
  ['video.create', 'omni-video', 12],
  ['video.create', 'vidmodel-c-2.5', 6],
  ['video.create', 'vidmodel-c-2-fast', 4],
  ['video.edit', 'vidmodel-c-2.5', 3],
  ['video.trim', null, 4],
  ['video.concat', null, 2],
  ['video.extract_frame', null, 2],
  ['social.search', null, 2],
];
const TABLES = [
  'generations',
  'ledger_entries',
  'ledger_tags',
  'accounts',
  'ledger_days',
  'audit_events',
  'audit_heads',
] as const;
const CHUNK = 100_000;
const DAYS = 365;

/** `s` is the number of a generation, from the oldest. A hash of it, 0 to 999, decides each property. */
const hash = (salt: number): SQL => sql.raw(`(abs(hashint4(s * 31 + ${salt})) % 1000)`);
const id = (prefix: string, of = 's'): SQL => sql.raw(`('${prefix}_' || lpad((${of})::text, 26, '0'))`);
/** The first ten characters of an id: its time in base 32. */
export const idTime = (at: SQL): SQL =>
  sql`(select string_agg(substr('0123456789abcdefghjkmnpqrstvwxyz', ((floor(extract(epoch from ${at}) * 1000)::bigint >> (5 * place)) & 31)::int + 1, 1), ''
    order by place desc) from generate_series(0, 9) as place)`;
const textArray = (values: readonly (string | null)[]): SQL =>
  sql`array[${sql.join(
    values.map((value) => (value === null ? sql`null` : sql`${value}`)),
    sql`, `,
  )}]::text[]`;

/**
 * 25 words: `everywhere`, `amber` and `copper` each in a fifth, `ancient` in the oldest tenth, `lighthouse` in 1 of 5,000,
 * and words from a lexicon of 4,000 with a few frequent ones.
 */
const prompt = (total: number): SQL =>
  sql.raw(`('everywhere ' || case when s % 5000 = 7 then 'lighthouse ' else '' end
    || case when s <= ${total / 10} then 'ancient ' else '' end
    || case when s % 5 = 0 then 'amber ' else '' end || case when s % 5 = 1 or s % 700 = 0 then 'copper ' else '' end
    || (select string_agg('w' || translate(floor(power((hashint4(s * 31 + k) & 1023) / 1024.0, 3) * 4000)::int::text,
      '0123456789', 'abcdefghij'), ' ') from generate_series(1, 22) k))`);

/** Statements in order. */
export function* historySteps(options: HistorySqlOptions): Generator<SQL> {
  const { organization_id, neighborId, generations: total, now, key_ids, neighborKeyId } = options;
  const organization = sql`case when s % 40 = 3 then ${neighborId} else ${organization_id} end`;
  const at = sql`(${now.toISOString()}::timestamptz - (${total}::int - s) * interval '1 second' * ${(DAYS * 86_400) / total}::float8)`;
  const generation_id = sql`('gen_' || ${idTime(at)} || lpad(s::text, 16, '0'))`;
  const pairs = WORK.flatMap(([task, model, weight]) => Array.from({ length: weight }, () => [task, model] as const));
  // Half of the work is of the first key, a quarter of the second, and so on.
  const key = sql`case when s % 40 = 3 then ${neighborKeyId}
    else (${textArray(key_ids)})[least(${key_ids.length}::int, 1 + floor(-log(2.0, ((${hash(3)} + 1) / 1001.0)::numeric)))::int] end`;
  const pick = (index: 0 | 1) =>
    sql`case when s % 9973 = 1 then ${index === 0 ? 'video.lipsync' : 'lipsync-v3'} else (${textArray(pairs.map((pair) => pair[index]))})[${hash(1)} / 10 + 1] end`;
  const isOpen = sql`s > ${total - Math.min(40, total / 50)}::int`;

  for (const table of TABLES) yield sql.raw(`alter table ${table} disable trigger user`);
  for (let first = 1; first <= total; first += CHUNK) {
    const numbers = sql`generate_series(${first}::int, ${Math.min(total, first + CHUNK - 1)}::int) s`;
    yield sql`insert into generations (id, organization_id, task, model, status, input, tags, amount_micro_usd, line_items,
        billing_status, chain_id, created_by, created_at, started_at, updated_at, completed_at, workflow_run_id, batch_id)
      select id, organization_id, task, model, status, input, tags,
        case when model is null then 0 else 40000 end, '[]',
        case when status = 'queued' or status = 'running' then 'reserved' when status <> 'succeeded' then 'released'
          when s % 500 = 9 and model is not null then 'refunded' else 'settled' end,
        id, created_by, at, at + interval '2 seconds', at + interval '20 seconds',
        case when status in ('queued', 'running') then null else at + interval '20 seconds' end,
        case when s % 20 = 0 then 'run_' || lpad((s / 20)::text, 26, '0') end,
        case when s % 25 = 7 then 'bat_' || lpad((s / 1000)::text, 26, '0') end
      from (select s, ${generation_id} as id, ${organization} as organization_id, ${pick(0)} as task, ${pick(1)} as model,
          case when ${isOpen} then case when s % 2 = 0 then 'queued' else 'running' end
            when ${hash(2)} < 50 then 'failed' when ${hash(2)} < 80 then 'canceled' else 'succeeded' end as status,
          jsonb_build_object('prompt', ${prompt(total)}) as input,
          case when ${hash(4)} < 500 then jsonb_build_object('client', 'client ' || ${hash(5)} % 20, 'project', 'project ' || ${hash(5)} % 60)
            else '{}' end as tags,
          ${key} as created_by, ${at} as at from ${numbers}) g`;
  }
  yield sql`insert into generation_words (generation_id, words)
    select id, array_to_tsvector(string_to_array(input->>'prompt', ' ')) from generations`;
  yield sql`insert into generation_tags (organization_id, name, value, generation_id)
    select organization_id, tag.key, tag.value, id
    from generations, jsonb_each_text(tags) as tag where tags <> '{}'`;
  yield sql`insert into tag_values (organization_id, name, created_by, value, last_used_at)
    select organization_id, tag.key, created_by, tag.value, max(created_at)
    from generations, jsonb_each_text(tags) as tag where tags <> '{}' group by 1, 2, 3, 4`;
  yield sql`insert into tags (organization_id, name, label, required, "values", created_at, updated_at, updated_by)
    select ${organization_id}, name, initcap(name), false, null, ${now.toISOString()}::timestamptz,
    ${now.toISOString()}::timestamptz, ${key_ids[0]} from unnest(array['client', 'project']) as name`;
  yield* ledgerSteps(organization_id);
  yield* mediaSteps(total, organization, at);
  yield* recordSteps(options, { organization, at, generation_id });
  for (const table of TABLES) yield sql.raw(`alter table ${table} enable trigger user`);
  yield sql.raw('alter table ledger_entries enable always trigger ledger_entries_append_only');
  yield sql.raw('alter table audit_events enable always trigger audit_events_append_only');
}

/** RESERVE, RELEASE and SETTLE of each generation with a price, a few refunds, and a credit of an amount per 1,000. */
function* ledgerSteps(organization_id: string): Generator<SQL> {
  yield sql`insert into ledger_entries (id, organization_id, seq, type, amount_micro_usd, available_after_micro_usd,
      balance_after_micro_usd, generation_id, task, model, workflow_run_id, description, key_id, created_at, hash)
    select 'led_' || organization_id || row_number() over all_entries, organization_id,
      coalesce((select last_seq from accounts a where a.organization_id = entries.organization_id), 0)
        + row_number() over (partition by organization_id order by entries.at, rank, entries.id), type, entries.amount, 1000000000, 2000000000,
      entries.id, task, model, workflow_run_id, 'Create', created_by, entries.at, repeat('0', 64)
    from (
      select g.id, g.organization_id, g.task, g.model, g.workflow_run_id, g.created_by, e.type, e.rank,
        case when e.type in ('RESERVE', 'SETTLE') then -g.amount_micro_usd else g.amount_micro_usd end as amount,
        case when e.type = 'RESERVE' then g.created_at else g.updated_at end as at
      from generations g join (values ('RESERVE', 1), ('RELEASE', 2), ('SETTLE', 3), ('REFUND', 4)) as e (type, rank)
        on e.type = 'RESERVE' or e.type = 'RELEASE' and g.billing_status <> 'reserved'
          or e.type = 'SETTLE' and g.billing_status in ('settled', 'refunded') or e.type = 'REFUND' and g.billing_status = 'refunded'
      where g.amount_micro_usd > 0) as entries
    window all_entries as (order by entries.at)`;
  yield sql`insert into accounts (organization_id, available_micro_usd, reserved_micro_usd, spent_micro_usd, last_seq, last_entry_at)
    select organization_id, 1000000000, 1000000000, -sum(amount_micro_usd) filter (where type in ('SETTLE', 'REFUND')), max(seq),
      max(created_at) from ledger_entries group by 1
    on conflict (organization_id) do update set last_seq = excluded.last_seq, last_entry_at = excluded.last_entry_at`;
  yield sql`insert into ledger_tags (organization_id, name, value, type, seq)
    select g.organization_id, tag.key, tag.value, e.type, e.seq
    from ledger_entries e join generations g on g.id = e.generation_id, jsonb_each_text(g.tags) as tag where g.tags <> '{}'`;
  yield sql`insert into ledger_days (organization_id, by_tags, type, date, key_id, task, model, tags, amount_micro_usd, count)
    select e.organization_id, by_tags, e.type, (e.created_at at time zone 'UTC')::date, coalesce(e.key_id, ''),
      coalesce(e.task, ''), coalesce(e.model, ''), case when by_tags then coalesce(g.tags, '{}') else '{}' end,
      sum(e.amount_micro_usd), count(*)
    from ledger_entries e left join generations g on g.id = e.generation_id cross join (values (false), (true)) as labels (by_tags)
    group by 1, 2, 3, 4, 5, 6, 7, 8
    on conflict (organization_id, by_tags, type, date, key_id, task, model, tags) do update
    set amount_micro_usd = excluded.amount_micro_usd, count = excluded.count`;
  yield sql`insert into ledger_words (organization_id, seq, generation_id, words)
    select organization_id, seq, generation_id, 'unhappy client'::tsvector
    from ledger_entries where type = 'REFUND' and organization_id = ${organization_id}`;
}

/** One output for most results, an upload for 16 generations. */
function* mediaSteps(total: number, organization: SQL, at: SQL): Generator<SQL> {
  yield sql`insert into assets (id, organization_id, generation_id, task, model, position, type, mime_type, storage_key, size_bytes,
      sha256, favourite, removed_at, trashed_at, created_at)
    select 'ast' || substr(id, 4), organization_id, id, task, model, 0,
      case when task like 'video%' then 'video' else 'image' end, 'image/png', 'outputs/' || id, 100000, md5(id),
      right(id, 2) = '11', case when right(id, 3) = '123' then completed_at end, case when right(id, 4) = '1123' then completed_at end, completed_at
    from generations where status = 'succeeded' and task <> 'social.search' and right(id, 1) <> '9'`;
  yield sql`insert into uploads (id, organization_id, created_by, filename, type, mime_type, storage_key, size_bytes, sha256, created_at)
    select ${id('upl')}, ${organization}, (select min(id) from api_keys), 'holiday photo ' || s, 'image', 'image/png',
      'uploads/' || s, 100000, md5(s::text), ${at}
    from generate_series(16, ${total}::int, 16) s`;
  yield sql`insert into asset_words (asset_id, words)
    select assets.id, words from assets join generation_words using (generation_id)`;
  yield sql`insert into upload_words (upload_id, words)
    select id, array_to_tsvector(string_to_array(filename, ' ')) from uploads`;
  yield sql`insert into media_derivations (source_key, state, due_at, created_at, updated_at)
    select storage_key, 'made', created_at, created_at, created_at from assets
    union all select storage_key, 'made', created_at, created_at, created_at from uploads`;
  yield sql`insert into media_derivatives (source_key, variant, type, mime_type, storage_key, size_bytes, sha256, created_at)
    select source_key, variant, 'image', 'image/webp', source_key || '/' || variant, 9000, md5(source_key), created_at
    from media_derivations, unnest(array['thumbnail-320', 'thumbnail-960']) as variant`;
  yield sql`insert into media_uses (generation_id, field, organization_id, media_id, media_type)
    select g.id, 'images.0', g.organization_id, 'upl_' || lpad((n / 16 * 16)::text, 26, '0'), 'image'
    from generations g, lateral (select right(g.id, 16)::int as n) as numbered where task in ('image.edit', 'video.edit') and n >= 16`;
  yield sql`insert into media_labels (organization_id, label, text, media_id, created_at)
    select organization_id, 'label ' || right(id, 1), 'Label ' || right(id, 1), id, created_at from assets
    where right(id, 2) in ('10', '21', '32', '43')`;
}

/** What is recorded beside work. */
function* recordSteps(
  { organization_id, generations: total, key_ids }: HistorySqlOptions,
  { organization, at, generation_id }: Record<'organization' | 'at' | 'generation_id', SQL>,
): Generator<SQL> {
  const every = (step: number): SQL => sql`generate_series(${step}::int, ${total}::int, ${step}::int) s`;
  yield sql`insert into upstream_jobs (generation_id, engine, state, handle, request_id, media_lengths, cost_micro_usd, cost_basis, submitted_at, updated_at)
    select id, 'studio/' || task || '/' || model, case when completed_at is null then 'submitted' else 'ended' end, '{}', 'req-' || id, '{}', 20000, 'list',
      created_at, updated_at from generations where model is not null and right(id, 1) in ('0', '1', '2', '4', '5', '6')`;
  yield sql`insert into batches (id, organization_id, mode, status, estimated_micro_usd, created_by, created_at, updated_at)
    select ${id('bat', 's / 1000')}, ${organization_id}, 'list', 'completed', 0, ${key_ids[0]}, ${at}, ${at} from ${every(1_000)}`;
  yield sql`insert into batch_orders (batch_id, index, "order", state, generation_id)
    select b.id, row_number() over (partition by b.id order by g.id), jsonb_build_object('task', g.task, 'input', g.input), 'placed', g.id
    from generations g join batches b on b.id = g.batch_id`;
  yield sql`insert into workflow_runs (id, organization_id, starter_slug, starter_name, definition, input, status, chain_id, created_by,
      created_at, updated_at, completed_at)
    select ${id('run', 's / 20')}, ${organization}, 'poster', 'Poster', '{}', json_build_object('subject', 'a fox ' || s), 'succeeded',
      ${id('run', 's / 20')}, ${key_ids[0]}, ${at}, ${at}, ${at} from ${every(20)}`;
  yield sql`insert into workflow_steps (run_id, key, state) select id, 'step', 'begun' from workflow_runs`;
  yield sql`insert into workflow_items (run_id, step_key, index, generation_id)
    select workflow_run_id, 'step', 0, id from generations where workflow_run_id is not null`;
  yield sql`insert into webhook_endpoints (id, organization_id, url, events, secret_sealed, created_at)
    select '00000000-0000-4000-8000-000000000001', ${organization_id}, 'https://example.com/', '["generation.succeeded"]', '', ${at} from generate_series(1, 1) s`;
  yield sql`insert into webhook_events (id, organization_id, type, generation_id, test, object, created_at)
    select ${id('evt')}, ${organization_id}, 'generation.succeeded', ${generation_id}, false, '{}', ${at} from ${every(10)}`;
  yield sql`insert into webhook_deliveries (id, endpoint_id, event_id, status, attempts, created_at)
    select 'dlv' || substr(id, 4), '00000000-0000-4000-8000-000000000001', id, 'delivered', 1, created_at from webhook_events`;
  yield sql`insert into webhook_attempts (delivery_id, number, endpoint_id, at, status_code, latency_ms)
    select id, 1, endpoint_id, created_at, 200, 50 from webhook_deliveries`;
  yield sql`insert into audit_events (id, organization_id, seq, action, actor_type, actor_name, target_type, created_at, hash)
    select ${id('aud')}, ${organization_id}, s / 50 + coalesce((select last_seq from audit_heads where organization_id = ${organization_id}), 0), 'key.created', 'person', 'Person 1', 'key', ${at}, repeat('0', 64) from ${every(50)}`;
  yield sql`insert into audit_heads (organization_id, last_seq, last_hash, last_event_at)
    select ${organization_id}, max(seq), repeat('0', 64), max(created_at) from audit_events
    on conflict (organization_id) do update set last_seq = excluded.last_seq, last_event_at = excluded.last_event_at`;
  yield sql`insert into idempotency_keys (organization_id, scope, key, fingerprint, status, body, created_at)
    select ${organization_id}, '/v1/generations', s::text, repeat('0', 64), 201, '{}', ${at} from ${every(100)}`;
  yield sql`insert into alerts (id, organization_id, kind, subject_id, subject_name, period, message, raised_at, resolved_at)
    select ${id('alt')}, ${organization_id}, 'budget_warning', 'b', 'Budget', s::text, 'Message', ${at}, ${at} from ${every(500)}`;
}
