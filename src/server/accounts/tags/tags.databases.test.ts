import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Pivot } from '#contract/resources/billing.ts';
import { claimGeneration } from '#server/studio/generations/generation-lease.ts';
import { settleSucceeded } from '#server/studio/generations/settle-generation.ts';
import {
  describeOnBothDatabases,
  type TestOrganization,
} from '#server/studio/generations/testing/shared-service-fixture.ts';
import { createScriptedEngine } from '#server/studio/generations/testing/scripted-engine.ts';
import { createTestService, type TestService } from '#server/app/testing/test-service.ts';

const ORDER = { task: 'image.create', model: 'imgmodel-a-2', input: { prompt: 'x' } };
const CLIENT = { label: 'Client', required: true, values: ['Acme', 'Beta'] };

describe('tags', () => {
  let service: TestService;
  let session: string;
  beforeAll(async () => {
    service = await createTestService({ engines: [createScriptedEngine()] });
    ({ session } = await service.addPerson('member', 'Mia'));
    await service.call('set_tag', { params: { tag_name: 'client' }, body: CLIENT });
  });
  afterAll(() => service.close());

  const order = (key: string, metadata?: Record<string, string>) =>
    service.request('create_generation', { key, body: { ...ORDER, ...(metadata ? { metadata } : {}) } });

  it('are defined and listed, and read by everyone who works', async () => {
    const { body } = await service.call('list_tags', { key: session });
    expect(body.data).toMatchObject([{ name: 'client', ...CLIENT }]);
    expect((await service.request('set_tag', { key: session, params: { tag_name: 'x' }, body: CLIENT })).status).toBe(
      401,
    );
  });

  it('do not take the name of the tags of files', async () => {
    const { error } = await service.callError('set_tag', { params: { tag_name: 'tags' }, body: CLIENT });
    expect(error).toMatchObject({ details: [{ path: 'name', message: expect.stringContaining('tags of files') }] });
  });

  it.each([
    [undefined, 'Choose a value for “Client”.'],
    [{ client: ' ' }, 'Choose a value for “Client”.'],
    [{ client: 'Gamma' }, '“Client” has no value “Gamma”.'],
  ])('a person who sends %j is asked for a value, before anything is paid', async (metadata, message) => {
    const { body: before } = await service.call('list_ledger');
    expect(await order(session, metadata)).toMatchObject({
      status: 422,
      error: { details: [{ path: 'metadata.client', message }] },
    });
    expect((await service.call('list_ledger')).body.data).toHaveLength(before.data.length);
  });

  it('rules hold for people only: programs keep to the interface', async () => {
    expect((await order(service.keys.member)).status).toBe(201);
    expect((await order(service.keys.member, { client: 'Gamma' })).status).toBe(201);
    expect((await order(session, { client: 'Acme' })).status).toBe(201);
  });

  it('pass from a workflow run to its generations, and to retries', async () => {
    const step = { key: 'a', name: 'A', ...ORDER };
    const starter = { slug: 'tagged', name: 'Tagged', input_schema: { type: 'object', properties: {} }, steps: [step] };
    await service.call('create_workflow_starter', { body: starter });
    const start = { starter_slug: 'tagged', input: {} };
    const { error } = await service.callError('create_workflow_run', { key: session, body: start });
    expect(error.details?.[0]?.path).toBe('metadata.client');
    const { body: run } = await service.call('create_workflow_run', {
      key: session,
      body: { ...start, metadata: { client: 'Beta' } },
    });
    expect(run.metadata).toEqual({ client: 'Beta' });
  });

  it('are at most five, with names and values that fit', async () => {
    const set = (tag_name: string, body: object = CLIENT) =>
      service.request('set_tag', { params: { tag_name }, body: body as typeof CLIENT });
    for (const name of ['project', 'campaign', 'team', 'country']) expect((await set(name)).status).toBe(200);
    expect(await set('sixth')).toMatchObject({ status: 400 });
    expect(await set('Client')).toMatchObject({ status: 422 });
    expect(await set('team', { ...CLIENT, values: ['a', 'a'] })).toMatchObject({ status: 422 });
    for (const tag_name of ['project', 'campaign', 'team', 'country']) {
      await service.call('delete_tag', { params: { tag_name } });
    }
    expect((await service.callError('delete_tag', { params: { tag_name: 'team' } })).status).toBe(404);
  });
});

describeOnBothDatabases(
  'spending by tag and person',
  () => ({ engines: [createScriptedEngine()] }),
  (service) => {
    let studio: TestOrganization;
    beforeAll(async () => {
      studio = await service.createOrganization('100');
      await studio.call('set_tag', {
        params: { tag_name: 'client' },
        body: { ...CLIENT, required: false, values: null },
      });
      for (const client of ['Acme', 'Acme', 'Beta', null]) {
        await charge({ ...ORDER, ...(client === null ? {} : { metadata: { client } }) });
      }
      await charge({ ...ORDER, model: 'imgmodel-b-2', metadata: { client: 'Acme' } });
    });

    async function charge(body: object): Promise<void> {
      const { deps } = service.get();
      const { body: made } = await studio.call('create_generation', { body: body as typeof ORDER });
      const lease = await claimGeneration(deps, made.id);
      if (lease) await settleSucceeded(deps, lease, { outputs: [], data: null, lengths: {} });
    }

    const today = () => {
      const from = new Date(service.get().deps.clock.now());
      from.setUTCHours(0, 0, 0, 0);
      return { from: from.toISOString(), to: new Date(from.getTime() + 86_400_000).toISOString() };
    };
    const cents = (usd: string) => Math.round(Number(usd) * 1e6);
    const sum = (rows: readonly { amount_usd: string }[]) =>
      rows.reduce((total, { amount_usd }) => total + cents(amount_usd), 0);

    it('keeps sums whole with a row for work without a value', async () => {
      const { body } = await studio.call('get_spending', { query: { by: 'tag:client', ...today() } });
      expect(body.data.map(({ id, name, count }) => [id, name, count]).toSorted()).toEqual(
        [
          [null, '(none)', 1],
          ['Acme', 'Acme', 3],
          ['Beta', 'Beta', 1],
        ].toSorted(),
      );
      const { body: whole } = await studio.call('get_spending', { query: { by: 'task', ...today() } });
      expect(sum(body.data)).toBe(sum(whole.data));
      const { body: unknown } = await studio.call('get_spending', { query: { by: 'tag:nothing', ...today() } });
      expect(unknown.data.map(({ name }) => name)).toEqual(['(none)']);
    });

    it('filters ledger, sums, export and spending by values, and by work without one', async () => {
      const filter = (client: string | null) => ({ type: 'SETTLE', tags: JSON.stringify({ client }) });
      const listed = async (client: string | null) =>
        (await studio.call('list_ledger', { query: filter(client) })).body.data.length;
      expect([await listed('Acme'), await listed('Beta'), await listed(null), await listed('x')]).toEqual([3, 1, 1, 0]);
      expect((await studio.call('get_ledger_sums', { query: filter('Acme') })).body.count).toBe(3);
      expect((await studio.callCsv('export_ledger', { query: filter('Beta') })).trimEnd().split('\r\n')).toHaveLength(
        2,
      );
      const beta = { by: 'model', ...today(), tags: '{"client":"Beta"}' };
      expect((await studio.call('get_spending', { query: beta })).body.data).toMatchObject([{ count: 1 }]);
    });

    it.each(['client', '[]', '{"client":1}', '"x"'])('rejects the tags %s', async (tags) => {
      expect((await studio.callError('list_ledger', { query: { tags } })).error.details?.[0]?.path).toBe('tags');
    });

    it('verifies, with tags', async () => {
      expect((await studio.call('get_verification')).body.ok).toBe(true);
    });

    it('pivots two dimensions; rows, columns and cells agree', async () => {
      const query = { rows: 'tag:client', columns: 'model', ...today() };
      const { body } = await studio.call('get_pivot', { query });
      expect(body.rows.map(({ name }) => name)).toEqual(['Acme', ...body.rows.slice(1).map(({ name }) => name)]);
      assertWhole(body);
      expect(body.total.count).toBe(5);
      const csv = (await studio.callCsv('export_pivot', { query })).trimEnd().split('\r\n');
      expect(csv).toHaveLength(body.rows.length + 2);
      expect(csv.at(-1)).toContain(body.total.amount_usd);
    });

    it('shows the previous period beside the current one', async () => {
      const { from, to } = today();
      const tomorrow = { from: to, to: new Date(Date.parse(to) + 86_400_000).toISOString() };
      const { body } = await studio.call('get_pivot', { query: { rows: 'day', columns: 'task', ...tomorrow } });
      expect(body.previous_from).toBe(from);
      expect(body.rows).toMatchObject([{ id: to.slice(0, 10), total: { amount_usd: '0.00', count: 0 } }]);
      expect(cents(body.total.previous_usd)).toBeGreaterThan(0);
      assertWhole(body);
    });

    it('covers at most 366 days', async () => {
      const query = { rows: 'task', columns: 'model', from: '2020-01-01T00:00:00Z', to: '2026-01-01T00:00:00Z' };
      expect((await studio.callError('get_pivot', { query })).error.details?.[0]?.path).toBe('from');
    });

    it('sums what is beyond the largest as one row, apart from a value of that name', async () => {
      const names = [...Array.from({ length: 60 }, (_, index) => `c${index}`), '(other)', 'other'];
      for (const client of names) await charge({ ...ORDER, metadata: { client } });
      const query = { rows: 'task', columns: 'tag:client', ...today() };
      const { body } = await studio.call('get_pivot', { query });
      expect(body.columns).toHaveLength(50);
      expect(body.columns.at(-1)).toMatchObject({ id: '(other)', name: 'Other' });
      assertWhole(body);
    });

    const assertWhole = ({ rows, columns, total }: Pivot) => {
      for (const row of rows) expect(sum(row.cells)).toBe(cents(row.total.amount_usd));
      expect(sum(rows.map((row) => row.total))).toBe(cents(total.amount_usd));
      expect(sum(columns.map((column) => column.total))).toBe(cents(total.amount_usd));
    };
  },
);

describe('a member', () => {
  let service: TestService;
  const sessions = new Map<string, string>();
  beforeAll(async () => {
    service = await createTestService({ engines: [createScriptedEngine()] });
    for (const name of ['Mia', 'Noa']) {
      const { session } = await service.addPerson('member', name);
      sessions.set(name, session);
      const { id } = (await service.call('create_generation', { key: session, body: ORDER })).body;
      const lease = await claimGeneration(service.deps, id);
      if (lease && name === 'Mia') await settleSucceeded(service.deps, lease, { outputs: [], data: null, lengths: {} });
    }
  });
  afterAll(() => service.close());

  it('sees only their own charges, sums, exports, reservations and spending', async () => {
    const [mia, noa] = [{ key: sessions.get('Mia') ?? '' }, { key: sessions.get('Noa') ?? '' }];
    const types = async (who: { key: string }) =>
      (await service.call('list_ledger', who)).body.data.map(({ type }) => type);
    expect(await types(mia)).toEqual(['SETTLE', 'RELEASE', 'RESERVE']);
    expect(await types(noa)).toEqual(['RESERVE']);
    expect((await service.call('get_ledger_sums', noa)).body.count).toBe(1);
    expect((await service.callCsv('export_ledger', noa)).trimEnd().split('\r\n')).toHaveLength(2);
    expect((await service.call('list_reservations', mia)).body.data).toEqual([]);
    expect((await service.call('list_reservations', noa)).body.data).toHaveLength(1);
    const byPerson = { query: { by: 'person' } };
    expect((await service.call('get_spending', { ...mia, ...byPerson })).body.data).toMatchObject([{ name: 'Mia' }]);
    expect((await service.call('get_spending', { ...noa, ...byPerson })).body.data).toEqual([]);
    const [own, other] = [
      await service.call('get_billing_summary', mia),
      await service.call('get_billing_summary', noa),
    ];
    expect(own.body.spent_total_usd).not.toBe('0.00');
    expect(other.body).toMatchObject({ spent_total_usd: '0.00', available_usd: own.body.available_usd, by_key: [] });
  });

  it('finds nothing of others by the filter', async () => {
    const mia = (await service.call('get_me', { key: sessions.get('Mia') ?? '' })).body.person;
    const query = { person_id: mia?.id ?? '' };
    const key = sessions.get('Noa') ?? '';
    expect((await service.call('list_ledger', { key, query })).body.data).toEqual([]);
    const all = await service.call('list_ledger', { query });
    expect(all.body.data.map(({ type }) => type)).toEqual(['SETTLE', 'RELEASE', 'RESERVE']);
  });
});
