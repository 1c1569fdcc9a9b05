import { eq, sql } from 'drizzle-orm';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { GENERATION_STATUSES, type GenerationStatus, TRANSITIONS } from '#contract/statuses.ts';
import { ledgerEntries } from '#server/platform/db/schema/billing-schema.ts';
import { generations } from '#server/platform/db/schema/schema.ts';
import { isErrorResponse } from '#server/app/testing/test-client.ts';
import { claimGeneration } from './generation-lease.ts';
import { runGeneration } from './run-generation.ts';
import { settleFailed, settleSucceeded } from './settle-generation.ts';
import {
  type SharedService,
  type TestOrganization,
  describeOnBothDatabases,
} from './testing/shared-service-fixture.ts';
import { createScriptedEngine } from './testing/scripted-engine.ts';
import { createWorkerFixture } from './testing/worker-fixture.ts';

const running = new AbortController().signal;
const FAILURE = { code: 'engine_failed', message: 'No.', retryable: true };
const NOTHING_MADE = { outputs: [], data: null, lengths: {} };

const WATCH = `
  create table moves (id text, old text, new text);
  create function write_move() returns trigger language plpgsql as
    'begin insert into moves values (new.id, old.status, new.status); return new; end';
  create trigger watch_moves after update of status on generations for each row
    when (old.status is distinct from new.status) execute function write_move();`;

async function moves(service: SharedService): Promise<{ id: string; old: GenerationStatus; new: GenerationStatus }[]> {
  const { rows } = (await service.get().deps.db.execute(sql`select * from moves`)) as {
    rows: { id: string; old: GenerationStatus; new: GenerationStatus }[];
  };
  return rows;
}

async function expectOneStory(service: SharedService, studio: TestOrganization): Promise<void> {
  const { db } = service.get().deps;
  const rows = await db.select().from(generations).where(eq(generations.organization_id, studio.organization_id));
  const entries = await db
    .select()
    .from(ledgerEntries)
    .where(eq(ledgerEntries.organization_id, studio.organization_id));
  const made = await moves(service);
  expect(made.length).toBeGreaterThan(0);
  for (const move of made) expect(TRANSITIONS[move.old]).toContain(move.new);
  for (const row of rows) {
    const types = entries.filter((entry) => entry.generation_id === row.id).map(({ type }) => type);
    const expected: Record<GenerationStatus, string[]> = {
      queued: ['RESERVE'],
      running: ['RESERVE'],
      manual_review: ['RESERVE'],
      succeeded: ['RELEASE', 'RESERVE', 'SETTLE'],
      failed: ['RELEASE', 'RESERVE'],
      canceled: ['RELEASE', 'RESERVE'],
    };
    expect(types.sort()).toEqual(expected[row.status]);
    const ends = made.filter(({ id, new: status }) => id === row.id && TRANSITIONS[status].length === 0);
    expect(ends.length).toBeLessThanOrEqual(1);
    if (ends[0]) expect(row.status).toBe(ends[0].new);
  }
  expect(entries.every((entry) => entry.available_after_micro_usd >= 0n)).toBe(true);
  const { body } = await studio.call('get_billing_summary');
  const active = rows.filter(({ status }) => status === 'queued' || status === 'running');
  const succeeded = rows.filter(({ status }) => status === 'succeeded');
  expect(Number(body.reserved_usd)).toBeCloseTo(active.length * 0.03, 6);
  expect(Number(body.spent_total_usd)).toBeCloseTo(succeeded.length * 0.03, 6);
  expect(Number(body.available_usd)).toBeCloseTo(10 - active.length * 0.03 - succeeded.length * 0.03, 6);
}

describeOnBothDatabases(
  'Races',
  () => ({ engines: [createScriptedEngine()], config: { workerConcurrency: 4 } }),
  (service) => {
    const bench = createWorkerFixture(service);
    let studio: TestOrganization;
    let watched = false;
    beforeEach(async () => {
      studio = await service.createOrganization('10');
      if (watched) return;
      watched = true;
      for (const statement of WATCH.split(/;\n/)) await service.get().deps.db.execute(sql.raw(statement));
    });
    afterEach(() => bench.stop());
    const make = async (prompt = 'a lighthouse') => (await bench.create(studio, prompt)).id;
    const cancel = (id: string) => studio.call('cancel_generation', { params: { generation_id: id } });
    const retry = (id: string) => studio.request('retry_generation', { params: { generation_id: id } });

    it('lets exactly one of cancel, success and failure win', async () => {
      const won = new Set<GenerationStatus>();
      for (let round = 0; round < 25; round += 1) {
        const { deps } = service.get();
        const id = await make();
        const lease = await claimGeneration(deps, id);
        if (!lease) throw new Error('The generation could not be claimed.');
        const acts = [
          () => cancel(id).then(({ body }) => GENERATION_STATUSES.includes(body.status)),
          () => settleSucceeded(deps, lease, NOTHING_MADE),
          () => settleFailed(deps, lease, FAILURE),
        ];
        const order = acts.map((_, at) => acts[(at + round) % acts.length]);
        await Promise.all(order.map((act) => act?.()));
        won.add((await bench.read(studio, id)).status);
      }
      expect([...won].every((status) => TRANSITIONS[status].length === 0)).toBe(true);
      await expectOneStory(service, studio);
    });

    it('lets exactly one of many claims win', async () => {
      const { deps } = service.get();
      const id = await make();
      const leases = await Promise.all(Array.from({ length: 16 }, () => claimGeneration(deps, id)));
      expect(leases.filter(Boolean)).toHaveLength(1);
      await cancel(id);
      await expectOneStory(service, studio);
    });

    it('does not run a canceled generation', async () => {
      const { deps } = service.get();
      const ids = await Promise.all(Array.from({ length: 10 }, () => make()));
      await Promise.all(ids.flatMap((id) => [cancel(id), cancel(id), runGeneration(deps, id, { shutdown: running })]));
      await expectOneStory(service, studio);
      for (const id of ids) {
        const { status, output } = await bench.read(studio, id);
        expect(output.assets).toHaveLength(status === 'succeeded' ? 1 : 0);
      }
    });

    it('stays consistent under concurrent workers, cancels and retries of the same chains', async () => {
      await bench.start();
      const hold = (mostMs: number) => new Promise((resolve) => setTimeout(resolve, Math.random() * mostMs));
      const started = await Promise.all(
        Array.from({ length: 24 }, (_, at) => make(['a lighthouse', 'fail', 'hang'][at % 3])),
      );
      const codes = new Set<string>();
      const pester = async (first: string): Promise<void> => {
        let newest = first;
        for (let round = 0; round < 6; round += 1) {
          await hold(40);
          const [answer] = await Promise.all([retry(newest), retry(newest), hold(15).then(() => cancel(newest))]);
          if (answer && isErrorResponse(answer)) codes.add(answer.error.code);
          else if (answer) newest = answer.body.id;
        }
        await cancel(newest);
      };
      await Promise.all(started.map(pester));
      await bench.stop();
      const { db } = service.get().deps;
      const rows = await db.select().from(generations).where(eq(generations.organization_id, studio.organization_id));
      const chains = Map.groupBy(rows, ({ chain_id }) => chain_id);
      for (const chain of chains.values()) {
        const repeated = chain.flatMap(({ retry_of }) => (retry_of === null ? [] : [retry_of]));
        expect(new Set(repeated).size).toBe(repeated.length);
      }
      for (const code of codes) {
        expect(['retry_not_allowed', 'active_retry_exists', 'retry_not_latest']).toContain(code);
      }
      await expectOneStory(service, studio);
    });
  },
);
