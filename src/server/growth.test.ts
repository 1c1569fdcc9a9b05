import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { purgeRemovedUploads, purgeTrash, removeExpiredMedia } from '#server/assets/retention.ts';
import { deleteOrphanedDerivatives } from '#server/assets/derivatives/delete-derivatives.ts';
import { resolveSeqRange } from '#server/billing/ledger-filter.ts';
import { sumFullBlocks } from '#server/billing/ledger-blocks.ts';
import { addSpendingTotals } from '#server/billing/spending-totals.ts';
import { sumEntriesByType } from '#server/billing/sum-entries.ts';
import { purgeStoredResponses } from '#server/idempotency/with-idempotency.ts';
import { createScriptedEngine } from '#server/generations/testing/scripted-engine.ts';
import { reclaimExpiredLeases } from '#server/generations/generation-lease.ts';
import { requeueStale } from '#server/generations/sweep.ts';
import { purgeArchives } from '#server/library/archive/archive.ts';
import { readGauges } from '#server/metrics/read-gauges.ts';
import { purgeSignIns } from '#server/people/purge-sign-ins.ts';
import { deleteRetiredKeys } from '#server/providers/delete-retired-keys.ts';
import { findWholeReads, readPartialIndexes } from '#server/testing/explain-statement.ts';
import { growthRequests } from '#server/testing/growth-requests.ts';
import { recordStatements } from '#server/testing/record-statements.ts';
import { seedHistory } from '#server/testing/seed-history.ts';
import { sharedPostgres } from '#server/testing/shared-postgres.ts';
import { createTestClock } from '#server/testing/test-clock.ts';
import { createTestService, type TestService } from '#server/testing/test-service.ts';
import { purgeEvents } from '#server/webhooks/purge-events.ts';

/** Tables that work fills. The others have rows for what people set up. */
const GROWING = new Set([
  'generations',
  'generation_words',
  'generation_tags',
  'ledger_entries',
  'ledger_tags',
  'ledger_words',
  'ledger_block_sums',
  'spending_days',
  'spending_totals',
  'assets',
  'uploads',
  'upload_words',
  'media_uses',
  'media_labels',
  'media_derivations',
  'media_derivatives',
  'collection_items',
  'upstream_jobs',
  'batches',
  'batch_orders',
  'workflow_runs',
  'workflow_steps',
  'workflow_items',
  'webhook_events',
  'webhook_deliveries',
  'webhook_attempts',
  'audit_events',
  'idempotency_keys',
  'sessions',
  'alerts',
]);

/** Tables of this size would be read as a whole where an index fits; so these ways cost as much as possible. */
const SEARCH_FOR_INDEXES = `analyze; ${['seqscan', 'hashjoin', 'mergejoin', 'indexonlyscan']
  .map((way) => `set enable_${way} = off`)
  .join('; ')}`;
const YEAR_MS = 366 * 86_400_000;
const recorder = recordStatements();
const postgres = await sharedPostgres();

describe.skipIf(!postgres)('with a long history', () => {
  let service: TestService;
  let database_url: string;
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
    database_url = (await postgres?.createDatabase()) ?? '';
    service = await createTestService({
      database_url,
      engines: [createScriptedEngine()],
      clock: createTestClock(new Date(Date.now() - YEAR_MS)),
      config: { rate_limit_per_minute: 1_000_000, media_ttl_days: 400 },
    });
    const { organization_id: neighbor_id } = await service.addOrganization();
    const { organization_id, deps } = service;
    service.deps.clock.advance(YEAR_MS);
    await seedHistory(deps.db, { organization_id, neighbor_id, generations: 3_000, now: deps.clock.now() });
    requests = await growthRequests(deps.db, organization_id, deps.clock.now());
  });
  afterAll(async () => {
    recorder.stop();
    await service.close();
  });

  it('reads the same spending from totals of days as from their parts', async () => {
    const paths = Object.values(requests).filter((path) =>
      /billing\/(?:summary|spending|pivot|statement\?)/.test(path),
    );
    expect(paths.length).toBeGreaterThan(15);
    const before = new Map<string, string>();
    for (const path of paths) before.set(path, await read(path));
    expect(await addSpendingTotals(service.deps)).toBeGreaterThan(10);
    expect(await addSpendingTotals(service.deps)).toBe(0);
    for (const [path, body] of before) expect(unordered(await read(path)), path).toEqual(unordered(body));
  });

  it('sums the same from blocks of the ledger as from its entries', async () => {
    const { deps, organization_id } = service;
    const sizes = { small: 100, large: 1_000 };
    const none = { small: 10_000_000, large: 10_000_000 };
    expect(await sumFullBlocks(deps, sizes)).toBeGreaterThan(50);
    expect(await sumFullBlocks(deps, sizes)).toBe(0);
    const now_ms = deps.clock.now().getTime();
    const daysAgo = (days: number) => new Date(now_ms - days * 86_400_000).toISOString();
    const filters = [
      {},
      { type: 'SETTLE' },
      { type: 'REFUND', task: 'image.create' },
      { model: 'omni-video' },
      { tags: new Map([['client', 'client 7']]) },
      { tags: new Map([['client', 'client 7']]), type: 'SETTLE', task: 'image.create' },
      { tags: new Map([['client', null]]) },
      { tags: new Map([['nothing', null]]), type: 'ADMIN_CREDIT' },
    ] as const;
    for (const filter of filters) {
      for (const times of [
        {},
        { created_after: daysAgo(200) },
        { created_after: daysAgo(311), created_before: daysAgo(7) },
      ]) {
        const range = await resolveSeqRange(deps, organization_id, times);
        const sum = (of: typeof sizes) => sumEntriesByType(deps, organization_id, filter, range, of);
        expect(sorted(await sum(sizes)), JSON.stringify([filter, times])).toEqual(sorted(await sum(none)));
      }
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
      'add sums': async () => [await sumFullBlocks(deps), await addSpendingTotals(deps)],
    };
    for (const [name, act] of Object.entries(works)) await record(name, act);
    const client = new Client({ connectionString: database_url });
    await client.connect();
    try {
      await client.query(SEARCH_FOR_INDEXES);
      const partial = await readPartialIndexes(client);
      const found: string[] = [];
      for (const [text, { by, values }] of sent) {
        const reads = await findWholeReads(client, { text, values }, partial);
        for (const { table, how } of reads) if (GROWING.has(table)) found.push(`${by}: ${how} of ${table}\n${text}`);
      }
      expect(found.join('\n\n')).toBe('');
      expect(sent.size).toBeGreaterThan(150);
    } finally {
      await client.end();
    }
  });
});

const sorted = (sums: Awaited<ReturnType<typeof sumEntriesByType>>) => [...sums].sort(([a], [b]) => (a < b ? -1 : 1));

/** Rows with the same amount have no order. */
const unordered = (body: string): unknown =>
  JSON.parse(body, (_key, value: unknown) =>
    Array.isArray(value) ? value.map((item) => JSON.stringify(item)).toSorted() : value,
  );
