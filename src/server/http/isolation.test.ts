import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { uploads } from '#server/platform/db/schema/schema.ts';
import { createScriptedEngine } from '#server/studio/generations/testing/scripted-engine.ts';
import { createId } from '#server/platform/core/create-id.ts';
import type { TestCallOptions } from '#server/app/testing/test-client.ts';
import { createTestService, type TestService } from '#server/app/testing/test-service.ts';
import { advanceRun } from '#server/studio/workflows/advance/advancer.ts';

let service: TestService;
let key: string;
let ownGeneration: string;
beforeAll(async () => {
  service = await createTestService({ engines: [createScriptedEngine()] });
  ({ key } = await service.addOrganization());
  for (const prompt of ['one', 'two']) ownGeneration = await create(service.keys.organization, prompt);
});
afterAll(() => service.close());

const create = async (key: string, prompt: string): Promise<string> => {
  const body = { task: 'image.create', model: 'imgmodel-b-2', input: { prompt } };
  return (await service.call('create_generation', { key, body })).body.id;
};

const startRun = async (body: { starter_slug: string; input: Record<string, unknown> }): Promise<string> =>
  (await service.call('create_workflow_run', { body })).body.id;

/** The response without its unique parts. */
async function answerOf<N extends Parameters<TestService['callError']>[0]>(name: N, options: TestCallOptions<N>) {
  const { status, headers, error } = await service.callError(name, { key, ...options });
  const { date: _date, 'x-request-id': _id, ...kept } = headers;
  return { status, headers: kept, error: { ...error, request_id: '' } };
}

describe('another organization’s', () => {
  it.each(['get_generation', 'cancel_generation', 'retry_generation', 'get_review', 'get_upstream_job'] as const)(
    'generation looks to %s exactly as one that never was',
    async (name) => {
      const unknown = 'gen_01m7y6v0gyeg6ksk7hyezzk3qs';
      const foreign = await answerOf(name, { params: { generation_id: ownGeneration } });
      expect(foreign).toEqual(await answerOf(name, { params: { generation_id: unknown } }));
      expect(foreign.status).toBe(404);
    },
  );

  it('generations appear in no list, filter, ledger or sum', async () => {
    expect((await service.call('list_generations', { key })).body.data).toEqual([]);
    expect((await service.call('list_generations', { key, query: { q: 'one' } })).body.data).toEqual([]);
    expect((await service.call('list_ledger', { key, query: { generation_id: ownGeneration } })).body.data).toEqual([]);
    const query = { generation_id: ownGeneration };
    expect((await service.call('get_ledger_sums', { key, query })).body.count).toBe(0);
    expect((await service.callCsv('export_ledger', { key, query })).split('\r\n')).toHaveLength(2);
    expect((await service.call('list_reservations', { key })).body.data).toEqual([]);
    expect((await service.call('get_spending', { key, query: { by: 'key' } })).body.data).toEqual([]);
    const body = { ...query, reason: 'x' };
    expect((await service.callError('create_refund', { key, body })).status).toBe(404);
    expect((await service.call('list_budgets', { key })).body.data).toEqual([]);
    expect((await service.call('get_statement', { key })).body.entry_count).toBe(1);
    const month = { from: '2000-01-01T00:00:00Z', to: '2999-01-01T00:00:00Z' };
    const what_if = { ...month, task: 'image.create', change: {} };
    expect((await service.call('reprice_spending', { key, body: what_if })).body.count).toBe(0);
    expect((await service.call('get_verification', { key })).body.checked_entries).toBe(1);
    expect((await service.call('get_billing_summary', { key })).body).toMatchObject({
      available_usd: '100.00',
      by_task: [],
    });
  });

  it.each(['list_generations', 'list_ledger', 'list_reservations'] as const)(
    'cursor looks to %s exactly as one that never was',
    async (name) => {
      const { body } = await service.call(name, { query: { limit: 1 } });
      expect(body.next_cursor).not.toBeNull();
      const foreign = await answerOf(name, { query: { cursor: body.next_cursor ?? '' } });
      expect(foreign).toEqual(await answerOf(name, { query: { cursor: 'AAAA.BBBB' } }));
    },
  );

  it('webhook endpoint is the same as an unknown one to every route', async () => {
    const hook = { url: 'https://93.184.216.34/', events: ['generation.failed'] };
    const { id } = (await service.call('create_webhook_endpoint', { body: hook })).body;
    const body = { since: '2026-01-01T00:00:00Z' };
    for (const name of [
      'delete_webhook_endpoint',
      'enable_webhook_endpoint',
      'rotate_webhook_secret',
      'test_webhook_endpoint',
      'recover_webhook_endpoint',
      'list_webhook_deliveries',
    ] as const) {
      const more = name === 'recover_webhook_endpoint' ? { body } : {};
      const foreign = await answerOf(name, { params: { endpoint_id: id }, ...more });
      const unknown = '3f0d7f6e-0000-4000-8000-000000000000';
      expect(foreign).toEqual(await answerOf(name, { params: { endpoint_id: unknown }, ...more }));
      expect(foreign.status).toBe(404);
    }
    expect((await service.call('list_webhook_endpoints', { key })).body.data).toEqual([]);
    expect((await service.call('list_webhook_endpoints')).body.data).toHaveLength(1);
  });

  it('delivery is the same as an unknown one to every route', async () => {
    const hook = { url: 'https://93.184.216.34/', events: ['generation.failed'] };
    const { id } = (await service.call('create_webhook_endpoint', { body: hook })).body;
    const { body } = await service.call('test_webhook_endpoint', { params: { endpoint_id: id } });
    for (const name of ['get_webhook_delivery', 'redeliver_webhook'] as const) {
      const foreign = await answerOf(name, { params: { delivery_id: body.id } });
      const unknown = 'dlv_01m7y6v0gyeg6ksk7hyezzk3qs';
      expect(foreign).toEqual(await answerOf(name, { params: { delivery_id: unknown } }));
      expect(foreign.status).toBe(404);
    }
  });

  it('batch is the same as an unknown one to every route', async () => {
    const order = { task: 'image.create', model: 'imgmodel-b-2', input: { prompt: 'x' } };
    const { id } = (await service.call('create_batch', { body: { mode: 'list', orders: [order] } })).body;
    const bodies = { resume_batch: {}, cancel_batch: {} };
    for (const name of [
      'get_batch',
      'list_batch_orders',
      'pause_batch',
      'resume_batch',
      'cancel_batch',
      'retry_batch',
      'export_batch',
    ] as const) {
      const more = name in bodies ? { body: {} } : {};
      const foreign = await answerOf(name, { params: { batch_id: id }, ...more });
      expect(foreign).toEqual(
        await answerOf(name, { params: { batch_id: 'bat_01m7y6v0gyeg6ksk7hyezzk3qs' }, ...more }),
      );
      expect(foreign.status).toBe(404);
    }
    expect((await service.call('list_batches', { key })).body.data).toEqual([]);
    expect((await service.call('list_generations', { key, query: { batch_id: id } })).body.data).toEqual([]);
  });

  it('workflow run and starter are the same as unknown ones to every route', async () => {
    const prompt = '{{ input.what }}';
    const definition = {
      slug: 'mine',
      name: 'Mine',
      input_schema: { type: 'object', properties: { what: { type: 'string' } }, required: ['what'] },
      steps: [{ key: 'a', name: 'A', task: 'image.create', model: 'imgmodel-b-2', input: { prompt } }],
    };
    await service.call('create_workflow_starter', { body: definition });
    const run = { starter_slug: 'mine', input: { what: 'x' } };
    const ids = [await startRun(run), await startRun(run)];
    const unknown = 'run_01m7y6v0gyeg6ksk7hyezzk3qs';
    for (const name of [
      'get_workflow_run',
      'cancel_workflow_run',
      'retry_workflow_run',
      'estimate_workflow_run_retry',
    ] as const) {
      const body = { inputs: { what: 'y' } };
      const more = {
        cancel_workflow_run: { body: {} },
        retry_workflow_run: { idempotency_key: 'x', body },
        estimate_workflow_run_retry: { body },
        get_workflow_run: {},
      }[name];
      const foreign = await answerOf(name, { params: { workflow_run_id: ids[0] ?? '' }, ...more });
      expect(foreign).toEqual(await answerOf(name, { params: { workflow_run_id: unknown }, ...more }));
      expect(foreign.status).toBe(404);
    }
    const other = { ...definition, slug: 'another' };
    for (const name of [
      'get_workflow_starter',
      'update_workflow_starter',
      'delete_workflow_starter',
      'estimate_workflow',
    ] as const) {
      const bodies = {
        update_workflow_starter: [definition, other],
        estimate_workflow: [{ input: {} }, { input: {} }],
      };
      const [body, bodyOfUnknown] = name in bodies ? bodies[name as keyof typeof bodies] : [];
      const foreign = await answerOf(name, { params: { slug: 'mine' }, ...(body ? { body } : {}) });
      expect(foreign).toEqual(
        await answerOf(name, { params: { slug: 'another' }, ...(bodyOfUnknown ? { body: bodyOfUnknown } : {}) }),
      );
      expect(foreign.status).toBe(404);
    }
    const refused = await answerOf('create_workflow_run', { body: run });
    expect(refused).toEqual(await answerOf('create_workflow_run', { body: { ...run, starter_slug: 'another' } }));
    expect((await service.call('list_workflow_runs', { key })).body.data).toEqual([]);
    expect((await service.call('list_workflow_starters', { key })).body.data).toEqual([]);
    const { body } = await service.call('list_workflow_runs', { query: { limit: 1 } });
    const cursor = await answerOf('list_workflow_runs', { query: { cursor: body.next_cursor ?? '' } });
    expect(cursor).toEqual(await answerOf('list_workflow_runs', { query: { cursor: 'AAAA.BBBB' } }));
    expect((await service.call('list_ledger', { key, query: { workflow_run_id: ids[0] ?? '' } })).body.data).toEqual(
      [],
    );
  });

  it('media are not accessible through the output of a workflow', async () => {
    const definition = {
      slug: 'taker',
      name: 'Taker',
      input_schema: { type: 'object', properties: { what: { type: 'string' } }, required: ['what'] },
      steps: [
        { key: 'a', name: 'A', task: 'image.create', model: 'imgmodel-b-2', when: 'false', input: { prompt: 'x' } },
      ],
      output: { url: '{{ input.what }}', medium: { url: '{{ input.what }}', expires_at: 'x' } },
    };
    await service.call('create_workflow_starter', { key, body: definition });
    const id = createId('upl', new Date());
    await service.deps.db.insert(uploads).values({
      id,
      organization_id: service.organization_id,
      created_by: 'nobody',
      type: 'image',
      mime_type: 'image/png',
      storage_key: id,
      size_bytes: 1,
      sha256: id,
      created_at: new Date(),
    });
    const what = `${service.deps.config.publicUrl}/media/${id}?expires=1&sig=x`;
    const { body } = await service.call('create_workflow_run', {
      key,
      body: { starter_slug: 'taker', input: { what } },
    });
    await advanceRun(service.deps, body.id, new AbortController().signal);
    const completed = await service.call('get_workflow_run', { key, params: { workflow_run_id: body.id } });
    expect(completed.body.output).toEqual({ url: what, medium: { url: what, expires_at: 'x' } });
  });

  it('Idempotency-Key is independent of mine', async () => {
    const body = { task: 'image.create', model: 'imgmodel-b-2', input: { prompt: 'three' } };
    const mine = await service.call('create_generation', { body, idempotency_key: 'same' });
    const foreign = await service.call('create_generation', { key, body, idempotency_key: 'same' });
    expect(foreign.body.id).not.toBe(mine.body.id);
    expect(foreign.headers['idempotent-replayed']).toBeUndefined();
  });
});
