import { asc, eq, getTableColumns, sql } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { parseUsd } from '#contract/money/money.ts';
import { createId } from '#server/platform/core/create-id.ts';
import { ledgerEntries } from '#server/platform/db/schema/billing-schema.ts';
import { generations } from '#server/platform/db/schema/schema.ts';
import { isErrorResponse } from '#server/app/testing/test-client.ts';
import {
  type SharedService,
  type TestOrganization,
  describeOnBothDatabases,
} from './testing/shared-service-fixture.ts';
import { createScriptedEngine } from './testing/scripted-engine.ts';
import { insertGeneration } from './create/write-generation.ts';

const PICTURE = { task: 'image.create', model: 'imgmodel-a-2', input: { prompt: 'a lighthouse' } };
const times = <T>(count: number, act: (index: number) => T): T[] => Array.from({ length: count }, (_, at) => act(at));

const ledgerOf = (service: SharedService, { organization_id }: TestOrganization) =>
  service
    .get()
    .deps.db.select()
    .from(ledgerEntries)
    .where(eq(ledgerEntries.organization_id, organization_id))
    .orderBy(asc(ledgerEntries.seq));
const rowsOf = (service: SharedService, { organization_id }: TestOrganization) =>
  service.get().deps.db.select().from(generations).where(eq(generations.organization_id, organization_id));

describeOnBothDatabases(
  'Creating',
  () => ({ engines: [createScriptedEngine()] }),
  (service) => {
    it('creates one generation and one RESERVE for 64 concurrent requests with the same idempotency key', async () => {
      const studio = await service.createOrganization('50');
      const answers = await Promise.all(
        times(64, () => studio.call('create_generation', { body: PICTURE, idempotency_key: 'once' })),
      );
      expect(answers.map(({ status }) => status)).toEqual(times(64, () => 201));
      expect(new Set(answers.map(({ body }) => JSON.stringify(body)))).toHaveLength(1);
      expect(answers.filter(({ headers }) => headers['idempotent-replayed'] === 'true')).toHaveLength(63);
      expect(await rowsOf(service, studio)).toHaveLength(1);
      expect((await ledgerOf(service, studio)).map(({ type }) => type)).toEqual([
        'ADMIN_CREDIT',
        'ADJUSTMENT',
        'RESERVE',
      ]);

      const other = { ...PICTURE, input: { prompt: 'a windmill' } };
      const conflict = await studio.callError('create_generation', { body: other, idempotency_key: 'once' });
      expect(conflict).toMatchObject({ status: 409, error: { code: 'idempotency_conflict' } });
    });

    it('accepts 37 of 200 concurrent requests if the balance covers 37', async () => {
      const studio = await service.createOrganization('1.129');
      const answers = await Promise.all(times(200, () => studio.request('create_generation', { body: PICTURE })));
      const refused = answers.filter(isErrorResponse);
      expect(answers.length - refused.length).toBe(37);
      expect(refused).toHaveLength(163);
      for (const { status, error } of refused) {
        expect([status, error.code]).toEqual([402, 'insufficient_balance']);
        expect(error.message).toBe('This needs $0.03, and $0.019 is available.');
      }
      const entries = await ledgerOf(service, studio);
      expect(entries.filter(({ type }) => type === 'RESERVE')).toHaveLength(37);
      expect(entries.every(({ available_after_micro_usd }) => available_after_micro_usd >= 0n)).toBe(true);
      expect(entries.map(({ seq }) => Number(seq))).toEqual(times(39, (at) => at + 1));
      const { body } = await studio.call('get_billing_summary');
      expect(body).toMatchObject({ available_usd: '0.019', reserved_usd: '1.11', balance_usd: '1.129' });
      expect(parseUsd(body.available_usd)).toBe(entries.reduce((sum, entry) => sum + entry.amount_micro_usd, 0n));
    });

    it('stores every column of a generation', async () => {
      const studio = await service.createOrganization('1');
      const { body } = await studio.call('create_generation', { body: PICTURE });
      const { deps } = service.get();
      const [first] = await rowsOf(service, studio);
      if (!first) throw new Error('The generation has no row.');
      const at = deps.clock.now();
      const full: Required<typeof first> = {
        ...first,
        id: createId('gen', at),
        chain_id: createId('gen', at),
        input: { prompt: 'a "quoted"\nüñí 🌊', seed: 4_294_967_295, strength: 0.1, images: [{ url: 'x' }] },
        input_excerpt: { prompt: 'a' },
        metadata: { name: 'value' },
        progress: 0.25,
        model_version: 2,
        provider_status: { queue_position: 3, stage: 'x' },
        output_data: { count: 1 },
        error: { code: 'x', message: 'y', retryable: true },
        amount_micro_usd: 12_345n,
        retry_of: body.id,
        workflow_run_id: 'run_1',
        batch_id: 'bat_1',
        output_name: 'Honey jar',
        tags: { client: 'Acme', project: 'A' },
        lease_owner: 'x',
        lease_expires_at: at,
        attempts: 2,
        cancel_requested: true,
        started_at: at,
        storage_failed_at: at,
        completed_at: at,
      };
      expect(Object.entries(full).filter(([, value]) => value === null)).toEqual([]);
      expect(Object.keys(full).sort()).toEqual(Object.keys(getTableColumns(generations)).sort());
      await deps.db.transaction((tx) => insertGeneration(tx, full, '', []));
      const [stored] = await deps.db.select().from(generations).where(eq(generations.id, full.id));
      expect(stored).toEqual({ ...full, turn: 1 });
      expect((await ledgerOf(service, studio)).at(-1)).toMatchObject({
        type: 'RESERVE',
        amount_micro_usd: -12_345n,
        generation_id: full.id,
        workflow_run_id: 'run_1',
      });
    });

    it('stores nothing of a generation above the balance', async () => {
      const studio = await service.createOrganization('0.01');
      const count = async () => {
        const query = sql`select (select count(*) from pgboss.job) + (select count(*) from generation_words) as rows`;
        return (await service.get().deps.db.execute(query)) as { rows: unknown[] };
      };
      const { rows: before } = await count();
      expect((await studio.callError('create_generation', { body: PICTURE })).status).toBe(402);
      expect([await rowsOf(service, studio), (await count()).rows]).toEqual([[], before]);
    });

    it('allows the idempotency key again after a request rejected for its balance', async () => {
      const studio = await service.createOrganization('0.01');
      const request = { body: PICTURE, idempotency_key: 'poor' };
      expect((await studio.callError('create_generation', request)).status).toBe(402);
      await studio.call('create_credit', { body: { amount_usd: '1', description: 'more' } });
      const answer = await studio.call('create_generation', request);
      expect(answer.headers['idempotent-replayed']).toBeUndefined();
      expect(await rowsOf(service, studio)).toHaveLength(1);
    });

    it('ignores the order of properties but not explicit defaults when comparing requests', async () => {
      const studio = await service.createOrganization('1');
      const first = await studio.call('create_generation', { body: PICTURE, idempotency_key: 'order' });
      const { task, model, input } = PICTURE;
      const turned = await studio.call('create_generation', { body: { input, model, task }, idempotency_key: 'order' });
      expect(turned.body).toEqual(first.body);
      const spelled = { ...PICTURE, input: { ...input, resolution: '1K' } };
      expect((await studio.callError('create_generation', { body: spelled, idempotency_key: 'order' })).status).toBe(
        409,
      );
    });

    it('forgets an idempotency key after a day', async () => {
      const studio = await service.createOrganization('1');
      const { clock } = service.get().deps;
      const request = { body: PICTURE, idempotency_key: 'daily' };
      const first = await studio.call('create_generation', request);
      clock.advance(24 * 3_600_000);
      expect((await studio.call('create_generation', request)).body.id).toBe(first.body.id);
      clock.advance(1);
      expect((await studio.call('create_generation', request)).body.id).not.toBe(first.body.id);
    });

    it('scopes idempotency keys to organization and endpoint', async () => {
      const studio = await service.createOrganization('1');
      const first = await studio.call('create_generation', { body: PICTURE, idempotency_key: 'shared' });
      const other = await service.createOrganization('1');
      const theirs = await other.call('create_generation', { body: PICTURE, idempotency_key: 'shared' });
      expect(theirs.body.id).not.toBe(first.body.id);
      const params = { generation_id: first.body.id };
      await studio.call('cancel_generation', { params });
      const retried = await studio.call('retry_generation', { params, idempotency_key: 'shared' });
      expect(retried.body.retry_of).toBe(first.body.id);
      const again = await studio.call('retry_generation', { params, idempotency_key: 'shared' });
      expect(again.body).toEqual(retried.body);
      expect(await rowsOf(service, studio)).toHaveLength(2);
    });

    it('creates one retry for 32 concurrent requests, with and without an idempotency key', async () => {
      const studio = await service.createOrganization('1');
      const { body } = await studio.call('create_generation', { body: PICTURE });
      const params = { generation_id: body.id };
      await studio.call('cancel_generation', { params });
      const answers = await Promise.all(
        times(32, () => studio.call('retry_generation', { params, idempotency_key: 'again' })),
      );
      expect(new Set(answers.map((answer) => JSON.stringify(answer.body)))).toHaveLength(1);
      expect(await rowsOf(service, studio)).toHaveLength(2);

      const second = { generation_id: answers[0]?.body.id ?? '' };
      await studio.call('cancel_generation', { params: second });
      const keyless = await Promise.all(times(32, () => studio.request('retry_generation', { params: second })));
      const refused = keyless.filter(isErrorResponse);
      expect(refused.map(({ error }) => error.code)).toEqual(times(31, () => 'active_retry_exists'));
      expect(await rowsOf(service, studio)).toHaveLength(3);
    });
  },
);
