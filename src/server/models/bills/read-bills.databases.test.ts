import { and, eq } from 'drizzle-orm';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { buffer } from 'node:stream/consumers';
import { createHash } from 'node:crypto';
import { createTestClock } from '#server/app/testing/test-clock.ts';
import type { TestService } from '#server/app/testing/test-service.ts';
import { startWorker, type Worker } from '#server/app/worker.ts';
import {
  type FakeUpstreamServer,
  respondWith,
  startFakeUpstream,
} from '#server/models/engine/testing/fake-upstream-server.ts';
import {
  FAKE_BILLS,
  listBillingEvents,
  toEuroFile,
  toFocusFile,
  unknownRequest,
} from '#server/models/providers/fal/testing/fake-fal-bills.ts';
import { createFakeFalRecord } from '#server/models/providers/fal/testing/fake-fal-record.ts';
import { createFakeFalHandler } from '#server/models/providers/fal/testing/fake-fal-server.ts';
import { createFakeOpenAiCosts } from '#server/models/providers/openai/testing/fake-openai-costs.ts';
import { createFakeOpenAiHandler } from '#server/models/providers/openai/testing/fake-openai-server.ts';
import { createFetcher } from '#server/platform/net/fetcher.ts';
import { auditEvents } from '#server/platform/db/schema/audit-schema.ts';
import { providerBills } from '#server/platform/db/schema/closing-schema.ts';
import { providerBillingKeys, providerCredentials } from '#server/platform/db/schema/provider-schema.ts';
import { describeOnBothDatabases } from '#server/studio/generations/testing/shared-service-fixture.ts';
import { waitFor } from '#server/studio/generations/testing/wait-for.ts';
import { listOpenMonths, readDueBills } from './start-bill-reads.ts';

const KEY = 'fal-id-0123456789:fal-secret';
const ADMIN_KEY = 'fal-id-0123456789:fal-admin';
const MONTH = '2026-11';
const DAY_MS = 86_400_000;
const IMAGE = { task: 'image.create', model: 'imgmodel-b-2' } as const;
const NEVER = new AbortController().signal;

it('reads the current month and those that ended up to 45 days ago', () => {
  expect(listOpenMonths(new Date('2026-11-29T12:00:00Z'))).toEqual(['2026-11', '2026-10']);
  expect(listOpenMonths(new Date('2026-11-14T23:59:59Z'))).toEqual(['2026-11', '2026-10', '2026-09']);
  expect(listOpenMonths(new Date('2026-03-31T12:00:00Z'))).toEqual(['2026-03', '2026-02']);
  expect(listOpenMonths(new Date('2027-01-01T00:00:00Z'))).toEqual(['2027-01', '2026-12', '2026-11']);
});

const clock = createTestClock(new Date('2026-11-20T08:00:00.000Z'));
const record = createFakeFalRecord();
const costs = { ...createFakeOpenAiCosts(), key: 'sk-admin-0123456789', now: () => clock.now() };

describeOnBothDatabases(
  'Bills that are read',
  () => ({ clock, fetcher: createFetcher({ allowPrivateNetworks: ['127.0.0.0/8'] }) }),
  (shared) => {
    let fal: FakeUpstreamServer;
    let openAi: FakeUpstreamServer;
    let worker: Worker;
    let service: TestService;
    let provider_id: string;

    beforeAll(async () => {
      service = shared.get();
      const finishJobs = (server: FakeUpstreamServer) => {
        const create = server.upstream.createJob;
        server.upstream.createJob = (key) => Object.assign(create(key), { state: 'succeeded' as const });
      };
      fal = await startFakeUpstream(KEY, (upstream) => createFakeFalHandler(upstream, record));
      openAi = await startFakeUpstream('sk-test-0123456789', (upstream) =>
        createFakeOpenAiHandler(upstream, [], { costs }),
      );
      const picture = await sharp({ create: { width: 64, height: 64, channels: 3, background: '#284' } })
        .png()
        .toBuffer();
      for (const server of [fal, openAi]) {
        finishJobs(server);
        server.upstream.outputs = [picture];
      }
      record.bills.now = () => clock.now();
      record.billable_units = '2';
      record.unit_price = 0.02;
      worker = await startWorker(service.deps);
    });
    afterAll(async () => {
      await worker.stop();
      await fal.close();
      await openAi.close();
    });
    beforeEach(async () => {
      await service.deps.db.delete(providerBills);
      await service.deps.db.delete(providerBillingKeys);
      Object.assign(record.bills, { key: ADMIN_KEY, bill: FAKE_BILLS.as_ordered, others: [], page_events: 10_000 });
      fal.upstream.jobs.length = 0;
      record.submits.length = 0;
      const { data } = (await service.call('list_providers')).body;
      const connected = data.find(({ provider }) => provider === 'fal');
      provider_id = connected?.id ?? (await connectFal());
    });

    async function connectFal() {
      const body = { provider: 'fal', key: KEY, address: fal.base_url, models: [IMAGE] } as const;
      return (await service.call('connect_provider', { body })).body.id;
    }
    const at = () => ({ params: { provider_id } });
    const setDue = (due_at: Date) => service.deps.db.update(providerBillingKeys).set({ due_at });
    async function setKey(key = ADMIN_KEY) {
      const response = await service.call('set_billing_key', { ...at(), body: { key } });
      // The worker reads bills as soon as a key is set.
      await setDue(new Date('2999-01-01T00:00:00Z'));
      return response;
    }
    const read = async (month = MONTH) =>
      (await service.call('read_provider_bill', { body: { provider_id, month } })).body;
    const readError = (month = MONTH) => service.callError('read_provider_bill', { body: { provider_id, month } });
    async function order() {
      const body = { ...IMAGE, input: { prompt: 'a pear' } };
      const { id } = (await service.call('create_generation', { body })).body;
      return waitFor(`${id} to end`, async () => {
        const { body: generation } = await service.call('get_generation', { params: { generation_id: id } });
        return ['succeeded', 'failed'].includes(generation.status) && generation;
      });
    }
    const linesOf = async (bill_id: string) =>
      (await service.call('list_provider_bill_lines', { params: { bill_id }, query: { limit: 200 } })).body.data;
    const closeOf = async (month = MONTH) =>
      (await service.call('get_close', { query: { month } })).body.data.find(
        ({ provider: { id } }) => id === provider_id,
      );
    const readingOf = async () =>
      (await service.call('list_bill_readings', { query: { month: MONTH } })).body.data.find(
        ({ provider: { id } }) => id === provider_id,
      );
    const bills = async () => (await service.call('list_provider_bills', { query: { provider_id } })).body.data;

    it('need a key of their own, which is tested, stored encrypted, never returned and used for nothing else', async () => {
      expect((await service.call('get_provider', at())).body.billing).toMatchObject({ key_last_four: null });
      expect((await readError()).error.message).toBe('The provider has no billing key.');
      const refused = await service.callError('set_billing_key', { ...at(), body: { key: KEY } });
      expect([refused.status, refused.error.message]).toEqual([
        400,
        'This key is not valid. fal responded: This endpoint needs an ADMIN key.',
      ]);
      const { body, status } = await setKey();
      expect([status, body.billing]).toMatchObject([200, { key_last_four: 'dmin', read_at: null, problem: null }]);
      expect(JSON.stringify(body)).not.toContain(ADMIN_KEY);
      const [row] = await service.deps.db.select().from(providerBillingKeys);
      expect(row?.sealed_key).not.toContain('admin');
      const credentials = await service.deps.db
        .select()
        .from(providerCredentials)
        .where(eq(providerCredentials.connection_id, provider_id));
      expect(credentials).toHaveLength(1);
      await order();
      expect(record.submits.map(({ headers }) => headers.authorization)).toEqual([`Key ${KEY}`]);

      await service.call('remove_billing_key', at());
      expect((await service.callError('remove_billing_key', at())).status).toBe(404);
      expect((await service.call('get_provider', at())).body.billing?.key_last_four).toBeNull();
      const events = await service.deps.db
        .select({ action: auditEvents.action, before: auditEvents.before, after: auditEvents.after })
        .from(auditEvents)
        .where(and(eq(auditEvents.target_type, 'provider'), eq(auditEvents.target_id, provider_id)));
      expect(events.slice(-2)).toEqual([
        { action: 'provider.billing_key_set', before: { key_last_four: null }, after: { key_last_four: 'dmin' } },
        { action: 'provider.billing_key_removed', before: { key_last_four: 'dmin' }, after: null },
      ]);
      await setKey();
      await service.call('disconnect_provider', at());
      expect(await service.deps.db.select().from(providerBillingKeys)).toEqual([]);
    });

    it('show an order, its line and the difference on Close, and keep what the provider sent', async () => {
      await setKey();
      const generation = await order();
      record.bills.others = [unknownRequest('2026-11-30T23:59:59Z'), unknownRequest('2026-12-01T00:00:00Z')];
      const bill = await read();
      expect(bill).toMatchObject({
        format: 'read',
        filename: 'fal-2026-11.jsonl',
        line_count: 2,
        amount_usd: '0.44',
        provider: { id: provider_id },
      });
      const request_id = fal.upstream.jobs[0]?.id;
      expect(await linesOf(bill.id)).toMatchObject([
        { request_id: '0aa00000-9999-4c1e-9a51-000000000009', amount: '0.40' },
        { request_id, amount: '0.04', quantity: '2', description: '2 × $0.02', service: expect.any(String) },
      ]);
      expect(await closeOf()).toMatchObject({
        bill_usd: '0.44',
        bill_count: 1,
      });
      expect(await readingOf()).toMatchObject({ read_at: bill.read_at, problem: null });
      expect(generation.status).toBe('succeeded');
      const kept = await buffer(await service.deps.storage.read(await storageKey(bill.id)));
      expect(createHash('sha256').update(kept).digest('hex')).toBe(bill.sha256);
      const [, page] = String(kept).trim().split('\n');
      expect(JSON.parse(JSON.parse(page ?? '').body).billing_events).toHaveLength(2);
      expect((await read('2026-12').catch((error: Error) => error.message)) as string).toMatch(/has not begun/);
    });

    const storageKey = async (id: string) => {
      const [row] = await service.deps.db.select().from(providerBills).where(eq(providerBills.id, id));
      return row?.storage_key ?? '';
    };

    it('add nothing twice: lines keep their numbers, later ones follow, and gone ones go', async () => {
      await setKey();
      for (let count = 0; count < 3; count += 1) await order();
      const first = await read();
      const before = await linesOf(first.id);
      const file = await storageKey(first.id);
      clock.advance(1_000);
      const again = await read();
      expect(again).toEqual({ ...first, read_at: clock.now().toISOString() });

      record.bills.page_events = 2;
      await order();
      const more = await read();
      expect([more.id, more.line_count]).toEqual([first.id, 4]);
      const after = await linesOf(first.id);
      expect(after.slice(0, 3)).toEqual(before);
      expect(await service.deps.storage.stat(file)).toBeNull();
      expect(await bills()).toHaveLength(1);

      record.bills.bill = FAKE_BILLS.never;
      expect(await read()).toMatchObject({ line_count: 0, amount_usd: '0.00' });
      expect(await linesOf(first.id)).toEqual([]);
    });

    it('count an event twice where one page has it twice, and once where the list moved between pages', async () => {
      await setKey();
      await order();
      record.bills.bill = FAKE_BILLS.twice;
      expect(await read()).toMatchObject({ line_count: 2, amount_usd: '0.08' });
      // The newest come first: what is added while pages are read moves the last of a page to the next one.
      record.bills.bill = FAKE_BILLS.as_ordered;
      const times = ['2026-11-03T00:00:00Z', '2026-11-02T00:00:00Z', '2026-11-01T00:00:00Z'];
      record.bills.others = times.map((time) => unknownRequest(time));
      record.bills.page_events = 2;
      fal.injectFault((_request, _response, serve) => serve());
      fal.injectFault((_request, _response, serve) => {
        record.bills.others.unshift(unknownRequest('2026-11-04T00:00:00Z'));
        serve();
      });
      expect(await read()).toMatchObject({ line_count: 4, amount_usd: '1.24' });
    });

    it.each([
      ['more', '0.12', 1],
      ['less', '0.02', 1],
      ['discounted', '0.036', 1],
      ['twice', '0.08', 2],
      ['never', '0.00', 0],
      ['late', '0.00', 0],
      ['after_midnight', '0.00', 0],
      ['before_midnight', '0.04', 1],
      ['in_repeated_hour', '0.00', 0],
    ] as const)('are read as billed: %s', async (name, amount_usd, line_count) => {
      await setKey();
      await order();
      record.bills.bill = FAKE_BILLS[name];
      expect(await read()).toMatchObject({ amount_usd, line_count });
    });

    it('bill late requests later, failed ones too, and those of the repeated hour in their month', async () => {
      await setKey();
      await order();
      for (const job of fal.upstream.jobs) job.state = 'failed';
      expect(await read()).toMatchObject({ line_count: 0 });
      record.bills.bill = FAKE_BILLS.unfinished;
      expect(await read()).toMatchObject({ line_count: 1 });
      for (const job of fal.upstream.jobs) job.state = 'succeeded';
      record.bills.bill = FAKE_BILLS.late;
      expect(await read()).toMatchObject({ line_count: 0 });
      clock.advance(3 * DAY_MS);
      expect(await read()).toMatchObject({ line_count: 1 });
      record.bills.bill = FAKE_BILLS.in_repeated_hour;
      const [line] = await linesOf((await read('2026-10')).id);
      expect(line?.charged_at).toBe('2026-10-25T00:30:00.000Z');
    });

    it('come as files too, in dollars and euros, but not beside a bill that is read', async () => {
      await order();
      const events = listBillingEvents(fal.upstream, record);
      const query = { provider_id, month: MONTH, filename: 'bill.csv' };
      const focus = Buffer.from(toFocusFile(events, MONTH));
      const added = (await service.call('create_provider_bill', { query, file: focus })).body;
      expect(added).toMatchObject({ format: 'focus', amount_usd: '0.04', read_at: null });
      await setKey();
      expect((await readError()).error.message).toMatch(/added as a file/);
      await service.call('delete_provider_bill', { params: { bill_id: added.id } });
      const euros = { query: { ...query, usd_rate: '1.25' }, file: Buffer.from(toEuroFile(events, 1.25)) };
      const other = (await service.call('create_provider_bill', euros)).body;
      expect(other).toMatchObject({ currency: 'EUR', amount: '0.032', amount_usd: '0.04' });
      await service.call('delete_provider_bill', { params: { bill_id: other.id } });
      await read();
      const refused = await service.callError('create_provider_bill', { query, file: focus });
      expect([refused.status, refused.error.message]).toEqual([
        422,
        'This month’s bill is read from the provider. Delete it first, so that nothing counts twice.',
      ]);
    });

    it('change nothing where the provider fails, say so, and try again', async () => {
      await setKey();
      await order();
      const bill = await read();
      const broken = [
        [respondWith(200, '<html>'), 'The provider sent a page that is not JSON.'],
        [
          respondWith(200, '{"billing_events":[{}],"has_more":false}'),
          'fal sent a page that is no list of billing events.',
        ],
        [
          respondWith(200, '{"billing_events":[],"has_more":true}'),
          'fal has more billing events, but does not say where.',
        ],
        [
          respondWith(
            200,
            JSON.stringify({ billing_events: [unknownRequest('2026-10-31T23:59:59Z')], has_more: false }),
          ),
          'The provider sent a line of 2026-10-31, which was not asked for.',
        ],
        [respondWith(401, '{"error":{"message":"Key revoked"}}'), 'This key is not valid. fal responded: Key revoked.'],
      ] as const;
      for (const [fault, message] of broken) {
        fal.injectFault(fault);
        const refused = await readError();
        expect([refused.status, refused.error.message]).toEqual([400, message]);
        expect(await readingOf()).toMatchObject({ read_at: bill.read_at, problem: message });
        expect((await closeOf())?.bill_usd).toBe(bill.amount_usd);
      }
      const loop = respondWith(200, '{"billing_events":[],"has_more":true,"next_cursor":"Mg=="}');
      fal.injectFault(loop);
      fal.injectFault(loop);
      expect((await readError()).error.message).toMatch(/again and again/);
      fal.injectFault(respondWith(503, '{}', { 'retry-after': '0' }));
      expect(await read()).toMatchObject({ line_count: 1 });
      expect((await readingOf())?.problem).toBeNull();
    });

    it('are read once a day for the months that are open', async () => {
      await setKey();
      const due = () => readDueBills(service.deps, { organization_id: service.organization_id, provider_id }, NEVER);
      await setDue(clock.now());
      await Promise.all([due(), due()]);
      expect((await bills()).map(({ month }) => month)).toEqual(['2026-10', '2026-11']);
      const provider = (await service.call('get_provider', at())).body;
      expect(provider.billing?.read_at).toBe(clock.now().toISOString());
      await order();
      await due();
      expect((await closeOf())?.bill_usd).toBe('0.00');
      clock.advance(DAY_MS);
      fal.injectFault(respondWith(401, '{}'));
      await due();
      expect((await readingOf())?.problem).toMatch(/not valid/);
      await due();
      clock.advance(3_600_000);
      await due();
      expect((await closeOf())?.bill_usd).toBe('0.04');
      expect((await readingOf())?.problem).toBeNull();
    });

    it('are sums of days and line items at OpenAI, in dollars only', async () => {
      const models = [{ task: 'image.create' as const, model: 'imgmodel-a-2' as const }];
      const connection = { provider: 'openai' as const, key: 'sk-test-0123456789', address: openAi.base_url, models };
      provider_id = (await service.call('connect_provider', { body: connection })).body.id;
      await setKey(costs.key);
      const body = { ...models[0], input: { prompt: 'a pear' } };
      for (let count = 0; count < 2; count += 1) {
        const { id } = (await service.call('create_generation', { body })).body;
        await waitFor(`${id} to end`, async () => {
          const { status } = (await service.call('get_generation', { params: { generation_id: id } })).body;
          return status === 'succeeded';
        });
      }
      const other = {
        time: new Date('2026-11-02T05:00:00Z'),
        line_item: 'chat, output',
        usd: 12.5,
        project_id: 'proj_1',
      };
      costs.entries.push(other);
      costs.page_days = 10;
      const bill = await read();
      const [chat, images] = await linesOf(bill.id);
      expect(chat).toMatchObject({ service: 'chat, output', description: 'Project proj_1', amount: '12.50' });
      expect(images).toMatchObject({ service: 'gpt-image-2, image output', request_id: null });
      const close = await closeOf();
      expect(Number(close?.difference_usd)).toBeCloseTo(12.5, 6);
      costs.currency = 'eur';
      expect((await readError()).error.message).toBe(
        'OpenAI bills in EUR. Only dollars can be read: add such a bill as a file, with its rate.',
      );
      expect((await closeOf())?.bill_usd).toBe(bill.amount_usd);
    });

    it('belong to the organization that operates the service', async () => {
      await setKey();
      const other = await shared.createOrganization('10.00');
      const body = { provider_id, month: MONTH };
      expect((await other.callError('read_provider_bill', { body })).status).toBe(401);
      expect((await other.call('list_bill_readings', { query: { month: MONTH } })).body.data).toEqual([]);
    });
  },
);
