import { type SQL, sql } from 'drizzle-orm';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { List } from '#contract/primitives.ts';
import { readRows } from '#server/platform/db/rows/list-tables.ts';
import { purgeRemovedUploads, purgeTrash, removeExpiredMedia } from '#server/studio/assets/retention.ts';
import { deleteOrphanedDerivatives } from '#server/studio/assets/derivatives/delete-derivatives.ts';
import { sumBy } from '#server/accounts/billing/reports/report.ts';
import { purgeStoredResponses } from '#server/accounts/idempotency/with-idempotency.ts';
import { createScriptedEngine } from '#server/studio/generations/testing/scripted-engine.ts';
import { reclaimExpiredLeases } from '#server/studio/generations/generation-lease.ts';
import { requeueStale } from '#server/studio/generations/sweep.ts';
import { purgeArchives } from '#server/studio/library/archive/archive.ts';
import { readGauges } from '#server/operations/metrics/read-gauges.ts';
import { purgeSignIns } from '#server/accounts/people/purge-sign-ins.ts';
import { deleteRetiredKeys } from '#server/models/connections/delete-retired-keys.ts';
import { findWholeReads, readPartialIndexes } from './testing/explain-statement.ts';
import { GROWING_TABLES } from './testing/growing-tables.ts';
import { growthRequests } from './testing/growth-requests.ts';
import { ENTRY_FILTERS, generationFilters, mediaFilters } from './testing/history-filters.ts';
import { recordStatements } from './testing/record-statements.ts';
import { seedHistory } from './testing/seed-history.ts';
import { sharedPostgres } from './testing/shared-postgres.ts';
import { createTestClock } from './testing/test-clock.ts';
import { createTestService, type TestService } from './testing/test-service.ts';
import { purgeEvents } from '#server/studio/webhooks/purge-events.ts';

/** Tables of this size would be read as a whole where an index fits; so these ways cost as much as possible. */
const SEARCH_FOR_INDEXES = `set search_path = public; analyze; ${['seqscan', 'hashjoin', 'mergejoin', 'indexonlyscan']
  .map((way) => `set enable_${way} = off`)
  .join('; ')}`;
const YEAR_MS = 366 * 86_400_000;
const recorder = recordStatements();
const postgres = await sharedPostgres();

describe.skipIf(!postgres)('with a long history (needs PostgreSQL)', () => {
  let service: TestService;
  let databaseUrl: string;
  let requests: Readonly<Record<string, string>>;
  const read = async (path: string) => {
    const response = await service.app.inject({
      url: path,
      headers: { authorization: `Bearer ${service.keys.organization}` },
    });
    expect(response.statusCode, path).toBe(200);
    return response.payload;
  };

  beforeAll(async () => {
    databaseUrl = (await postgres?.createDatabase()) ?? '';
    service = await createTestService({
      databaseUrl,
      engines: [createScriptedEngine()],
      clock: createTestClock(new Date(Date.now() - YEAR_MS)),
      config: { rateLimitPerMinute: 1_000_000, mediaTtlDays: 400 },
    });
    const { organization_id: neighborId } = await service.addOrganization();
    const { organization_id, deps } = service;
    service.deps.clock.advance(YEAR_MS);
    await seedHistory(deps.db, { organization_id, neighborId, generations: 3_000, now: deps.clock.now() });
    requests = await growthRequests(deps.db, organization_id, deps.clock.now());
  });
  afterAll(async () => {
    recorder.stop();
    await service.close();
  });

  it.each(['generations', 'media', 'billing/ledger'] as const)(
    'lists %s with a word that almost all have, page by page',
    async (list) => {
      interface Row {
        id: string;
        generation_id?: string | null;
      }
      const pagesOf = async (query: string): Promise<Row[]> => {
        const rows: Row[] = [];
        let cursor: string | null = null;
        do {
          const after = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`;
          const page = JSON.parse(await read(`/v1/${list}?limit=100${query}${after}`)) as List<Row>;
          rows.push(...page.data);
          cursor = page.next_cursor;
        } while (cursor !== null);
        return rows;
      };
      const all = await pagesOf('');
      const withWord = await readRows<{ id: string }>(
        service.deps.db,
        list === 'media'
          ? sql`select asset_id as id from asset_words where words @@ 'everywhere:*'::tsquery`
          : sql`select generation_id as id from generation_words where words @@ 'everywhere:*'::tsquery`,
      );
      const had = new Set(withWord.map(({ id }) => id));
      expect(had.size).toBeGreaterThan(2_000);
      const expected = all.filter(({ id, generation_id }) =>
        had.has(list === 'billing/ledger' ? (generation_id ?? '') : id),
      );
      expect((await pagesOf('&q=everywhere')).map(({ id }) => id)).toEqual(expected.map(({ id }) => id));
    },
  );

  it('sums the same from days as from entries', async () => {
    const { deps, organization_id } = service;
    const nowMs = deps.clock.now().getTime();
    const daysAgo = (days: number) => new Date(nowMs - days * 86_400_000);
    const hasTag = (name: string, value: string) => sql`g.tags->>${name} = ${value}`;
    const filters = [
      [{}, sql`true`],
      [{ types: ['SETTLE'] }, sql`e.type = 'SETTLE'`],
      [{ types: ['REFUND'], task: 'image.create' }, sql`e.type = 'REFUND' and e.task = 'image.create'`],
      [{ model: 'omni-video' }, sql`e.model = 'omni-video'`],
      [{ tags: new Map([['client', 'client 7']]) }, hasTag('client', 'client 7')],
      [
        { tags: new Map([['client', 'client 7']]), types: ['SETTLE'], task: 'image.create' },
        sql`${hasTag('client', 'client 7')} and e.type = 'SETTLE' and e.task = 'image.create'`,
      ],
      [{ tags: new Map([['client', null]]) }, sql`not g.tags ? 'client'`],
      [{ tags: new Map([['nothing', null]]), types: ['ADMIN_CREDIT'] }, sql`false`],
      [
        {
          tags: new Map([
            ['client', 'client 7'],
            ['project', 'project 7'],
          ]),
        },
        sql`${hasTag('client', 'client 7')} and ${hasTag('project', 'project 7')}`,
      ],
    ] as const;
    const groups = [
      [[], sql`array[]::text[]`],
      [['day', 'model'], sql`array[to_char(e.created_at at time zone 'UTC', 'YYYY-MM-DD'), e.model]`],
      [['tag:client', 'key'], sql`array[g.tags->>'client', e.key_id]`],
    ] as const;
    const periods = [{}, { from: daysAgo(200) }, { from: daysAgo(311), to: daysAgo(7) }];
    for (const [filter, condition] of filters) {
      for (const { from = new Date(0), to = new Date(nowMs * 2) } of periods) {
        for (const [by, values] of groups) {
          const direct = sql`select array[e.type] || ${values} as values, sum(e.amount_micro_usd)::text as amount, count(*)::text as entries
            from ledger_entries e left join generations g on g.id = e.generation_id
            where e.organization_id = ${organization_id} and ${condition}
              and e.created_at >= ${from.toISOString()}::timestamptz and e.created_at < ${to.toISOString()}::timestamptz group by 1`;
          const expected = await readRows<{ values: (string | null)[]; amount: string; entries: string }>(
            deps.db,
            direct,
          );
          const scope = { organization_id, ...filter };
          const sums = await sumBy(deps.db, scope, { from, to }, ['type', ...by], ['amount', 'entries']);
          expect(sorted(sums), JSON.stringify([filter, from, to, by])).toEqual(
            sorted(
              expected.map(({ values: found, amount, entries }) => ({
                values: found,
                sums: { amount: BigInt(amount), entries: BigInt(entries) },
              })),
            ),
          );
        }
      }
    }
  });

  /** Follows the pages of a list to its end. @returns ids in order */
  const listAll = async (path: string): Promise<string[]> => {
    const ids: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const page = JSON.parse(await read(`${path}&limit=200&cursor=${cursor}`)) as List<{ id: string }>;
      ids.push(...page.data.map(({ id }) => id));
      cursor = page.next_cursor;
    }
    return ids;
  };
  const select = async (ids: SQL): Promise<string[]> =>
    (await readRows<{ id: string }>(service.deps.db, ids)).map(({ id }) => id);

  it('lists every generation of a filter once, newest first', async () => {
    const { organization_id } = service;
    const [person_id = ''] = await select(
      sql`select person_id as id from api_keys where person_id is not null order by id limit 1`,
    );
    const middle = sql`(select created_at from generations order by id offset 1500 limit 1)`;
    const [time = ''] = await select(sql`select ${middle}::text as id`);
    const filters = generationFilters(person_id, middle, new Date(time));
    for (const [query, condition] of Object.entries(filters)) {
      const expected = await select(
        sql`select id from generations where organization_id = ${organization_id} and ${condition} order by created_at desc, id desc`,
      );
      expect(await listAll(`/v1/generations?${query}`), query).toEqual(expected);
    }
  });

  it('lists every medium of a filter once, newest first', async () => {
    const listed = sql`from assets a join generations g on g.id = a.generation_id
      where a.organization_id = ${service.organization_id} and a.removed_at is null`;
    const [quiet = ''] = await select(
      sql`select k.person_id as id from generations g join api_keys k on k.id = g.created_by where k.person_id is not null group by 1 order by count(*) limit 1`,
    );
    await service.deps.db.execute(sql`insert into media_labels (organization_id, label, text, media_id, created_at)
      select organization_id, 'often', 'often', id, created_at from assets where organization_id = ${service.organization_id} and right(id, 1) <> '1'`);
    for (const [query, condition] of Object.entries(mediaFilters(quiet))) {
      const expected = await select(sql`select a.id ${listed} and ${condition} order by a.created_at desc, a.id desc`);
      expect(expected.length > 0, query).toBe(!/nowhere|video&task=image/.test(query));
      expect(await listAll(`/v1/media?origin=generated&${query}`), query).toEqual(expected);
    }
  });

  it('exports every entry of a filter once, oldest first', async () => {
    for (const [query, condition] of Object.entries(ENTRY_FILTERS)) {
      const expected =
        await select(sql`select e.id from ledger_entries e left join generations g on g.id = e.generation_id
        where e.organization_id = ${service.organization_id} and ${condition} order by e.seq`);
      const csv = await read(`/v1/billing/ledger.csv?${query}`);
      expect(
        [...csv.matchAll(/^\d+,"(led_\w+)",/gm)].map(([, id]) => id),
        query,
      ).toEqual(expected);
    }
  });

  it('reads no growing table as a whole', async () => {
    const { deps } = service;
    const sent = new Map<string, { by: string; values: readonly unknown[] }>();
    const record = async (by: string, act: () => Promise<unknown>) => {
      recorder.take();
      await act();
      for (const { text, values } of recorder.take()) if (!sent.has(text)) sent.set(text, { by, values });
    };
    for (const [name, path] of Object.entries(requests)) await record(name, () => read(path));
    const works = {
      'create a generation': () =>
        service.call('create_generation', {
          body: { task: 'image.create', model: 'imgmodel-a-2', input: { prompt: 'x' } },
        }),
      gauges: () => readGauges(deps.db, true),
      'reclaim leases': () => reclaimExpiredLeases(deps),
      requeue: () => requeueStale(deps),
      'purge responses': () => purgeStoredResponses(deps.db, deps.clock.now()),
      'purge sign-ins': () => purgeSignIns(deps),
      'purge archives': () => purgeArchives(deps),
      'purge events': () => purgeEvents(deps),
      'expire media': () => removeExpiredMedia(deps),
      'purge trash': () => purgeTrash(deps),
      'purge uploads': () => purgeRemovedUploads(deps),
      'delete derivatives': () => deleteOrphanedDerivatives(deps),
      'delete keys': () => deleteRetiredKeys(deps),
    };
    for (const [name, act] of Object.entries(works)) await record(name, act);
    const client = new Client({ connectionString: databaseUrl });
    await client.connect();
    try {
      await client.query(SEARCH_FOR_INDEXES);
      const partial = await readPartialIndexes(client);
      const found: string[] = [];
      for (const [text, { by, values }] of sent) {
        const reads = await findWholeReads(client, { text, values }, partial);
        for (const { table, how } of reads)
          if (GROWING_TABLES.has(table)) found.push(`${by}: ${how} of ${table}\n${text}`);
      }
      expect(found.join('\n\n')).toBe('');
      expect(sent.size).toBeGreaterThan(150);
    } finally {
      await client.end();
    }
  });
});

const sorted = (rows: readonly object[]) =>
  rows
    .map((row) =>
      JSON.stringify(Object.entries(row).toSorted(), (_key, value: unknown) =>
        typeof value === 'bigint' ? `${value}` : value,
      ),
    )
    .toSorted();
