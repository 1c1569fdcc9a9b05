import { RUN_PRICE } from '#contract/added-models/testing/run-price.ts';
import { eq, inArray } from 'drizzle-orm';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AuditAction } from '#contract/audit-actions.ts';
import type { EndpointSpec } from '#contract/api/endpoint.ts';
import { endpoints, type EndpointName } from '#contract/api/endpoints.ts';
import { createId } from '#server/platform/core/create-id.ts';
import { uploads } from '#server/platform/db/schema/schema.ts';
import { alerts } from '#server/platform/db/schema/alert-schema.ts';
import { auditEvents } from '#server/platform/db/schema/audit-schema.ts';
import { createFakeOpenAiCosts } from '#server/models/providers/openai/testing/fake-openai-costs.ts';
import { createFakeOpenAiHandler } from '#server/models/providers/openai/testing/fake-openai-server.ts';
import { type FakeUpstreamServer, startFakeUpstream } from '#server/models/engine/testing/fake-upstream-server.ts';
import { claimGeneration } from '#server/studio/generations/generation-lease.ts';
import { openReview } from '#server/studio/generations/review/open-review.ts';
import { settleSucceeded } from '#server/studio/generations/settle-generation.ts';
import { createScriptedEngine } from '#server/studio/generations/testing/scripted-engine.ts';
import { people as peopleTable } from '#server/platform/db/schema/people-schema.ts';
import { createFetcher } from '#server/platform/net/fetcher.ts';
import { storeChallenge } from '#server/accounts/people/sign-in-challenges.ts';
import { createSoftwareAuthenticator } from '#server/app/testing/software-authenticator.ts';
import type { TestCallOptions } from '#server/app/testing/test-client.ts';
import { createTestService, type TestService } from '#server/app/testing/test-service.ts';

const KEY = 'sk-test-0123456789abcdef';
const RESULT = { outputs: [], data: null, lengths: {} };

/** Endpoints with a changing method that record nothing here, and why. */
const EXCEPTIONS: Partial<Record<EndpointName, string>> = {
  test_provider: 'changes nothing',
  search_provider_models: 'changes nothing',
  inspect_model: 'changes nothing',
  compare_added_model: 'changes nothing',
  test_added_model: 'is an order, which is in the list of generations',
  test_provider_key: 'changes nothing',
  preview_provider_bill: 'changes nothing',
  test_webhook_endpoint: 'sends an event and changes no setting',
  recover_webhook_endpoint: 'sends events again and changes no setting',
  redeliver_webhook: 'sends an event again and changes no setting',
  enable_webhook_endpoint: 'changes nothing while the endpoint is enabled',
  start_passkey_registration: 'changes nothing before the passkey is created',
  resend_email_confirmation: 'sends a link again and changes no address',
};

const costs = { ...createFakeOpenAiCosts(), key: 'sk-admin-0123456789' };
let upstream: FakeUpstreamServer;
let service: TestService;
beforeAll(async () => {
  upstream = await startFakeUpstream(KEY, (fake) => createFakeOpenAiHandler(fake, [], { costs }));
  service = await createTestService({
    engines: [createScriptedEngine()],
    fetcher: { ...createFetcher({ allowPrivateNetworks: ['127.0.0.0/8'] }), assertPublic: async () => undefined },
    config: { rateLimitPerMinute: 10_000 },
  });
});
afterAll(async () => {
  await service.close();
  await upstream.close();
});

async function createWork() {
  const body = { task: 'image.create', model: 'imgmodel-a-2', input: { prompt: 'x' } };
  const { id } = (await service.call('create_generation', { body })).body;
  const lease = await claimGeneration(service.deps, id);
  if (!lease) throw new Error('The generation was not claimed.');
  return { id, lease };
}
const createKey = async () => {
  const { body } = await service.call('create_api_key', { body: { name: 'Shop', kind: 'member' } });
  return { params: { key_id: body.id } };
};
const createEndpoint = async () => {
  const body = { url: 'https://public.test/hooks', events: ['generation.failed'] };
  return { params: { endpoint_id: (await service.call('create_webhook_endpoint', { body })).body.id } };
};
const provider = () => ({
  provider: 'openai-compatible',
  address: upstream.base_url,
  key: KEY,
  models: [{ task: 'image.edit', model: 'imgmodel-a-2', provider_model: 'local-painter' }],
});
const connect = async () => {
  for (const { id } of (await service.call('list_providers')).body.data)
    await service.call('disconnect_provider', { params: { provider_id: id } });
  return { params: { provider_id: (await service.call('connect_provider', { body: provider() })).body.id } };
};
const MODELS = [{ task: 'image.create', model: 'imgmodel-a-2' }];
const connectOpenAi = async () => {
  const body = { provider: 'openai', address: upstream.base_url, key: KEY, models: MODELS };
  return { params: { provider_id: (await service.call('connect_provider', { body })).body.id } };
};
const setBillingKey = async () => {
  const { params } = await connectOpenAi();
  await service.call('set_billing_key', { params, body: { key: costs.key } });
  return { params };
};
const PRICE = { ...RUN_PRICE, unit_price_micro_usd: 1_000 };
const draftModel = async () => {
  const { params } = await connect();
  const source = { ...params, address: 'local-painter', kind: 'image' };
  const { hash } = (await service.call('inspect_model', { body: source })).body;
  return { body: { ...source, hash, name: 'Painter', task: 'image.create', price: PRICE } };
};
const addModel = async () => {
  const draft = await draftModel();
  const { id } = (await service.call('create_added_model', draft)).body;
  return { params: { model_id: id }, hash: draft.body.hash };
};
const LABEL = { params: { catalog_id: 'image.create' }, body: { name: 'Still', description: null } };

const BUDGET = { scope: 'model:imgmodel-a-2', interval: 'day', limit_usd: '500' };
const TAG = { params: { tag_name: 'client' }, body: { label: 'Client', required: false, values: null } };
let people = 0;
const addPerson = async () => {
  people += 1;
  return { params: { person_id: (await service.addPerson('member', `Member ${people}`)).person.id } };
};

const ORDER = { task: 'image.create', model: 'imgmodel-a-2', input: { prompt: 'x' } };
const createBatch = async () => {
  const body = { mode: 'list', orders: [ORDER, ORDER] };
  return { params: { batch_id: (await service.call('create_batch', { body })).body.id } };
};
const createRun = async () => {
  const slug = `run-${(people += 1)}`;
  const steps = [{ key: 'a', name: 'A', ...ORDER }];
  const body = { slug, name: slug, input_schema: { type: 'object', properties: {} }, steps };
  await service.call('create_workflow_starter', { body });
  const run = await service.call('create_workflow_run', { body: { starter_slug: slug, input: {} } });
  return { params: { workflow_run_id: run.body.id } };
};
const addUpload = async () => {
  const [now, { organization_id }] = [new Date(), service];
  const id = createId('upl', now);
  const file = { type: 'image', mime_type: 'image/png', filename: 'a.png', size_bytes: 1, sha256: '0' } as const;
  const row = { ...file, id, organization_id, storage_key: `uploads/${id}.png`, created_by: 'key_x', created_at: now };
  await service.deps.db.insert(uploads).values(row);
  return id;
};
/** Canceling and retrying one's own is not in the log. */
const foreignGeneration = async () => {
  const { session: key } = await service.addPerson('member', `Maker ${(people += 1)}`);
  return { generation_id: (await service.call('create_generation', { key, body: ORDER })).body.id };
};

/** Somebody who is signed in, as their account is managed by nobody else. */
const signIn = async () => {
  const { person, session: key } = await service.addPerson('member', `Owner ${(people += 1)}`);
  return { key, person_id: person.id };
};
const startPasskey = async (key: string) => {
  const { body } = await service.call('start_passkey_registration', { key });
  const { publicUrl } = service.deps.config;
  const credential = createSoftwareAuthenticator(new URL(publicUrl).hostname, publicUrl).register(body.challenge);
  return { key, body: { name: 'Laptop', credential } };
};
const createPasskey = async () => {
  const { key } = await signIn();
  const { body } = await service.call('create_passkey', await startPasskey(key));
  return { key, params: { passkey_id: body.id } };
};
const enterEmail = async () => {
  const { key, person_id } = await signIn();
  const pending_email = `owner-${people}@example.com`;
  await service.deps.db.update(peopleTable).set({ pending_email }).where(eq(peopleTable.id, person_id));
  return { key, person_id, pending_email };
};

let bills = 0;
const bill = () => ({
  query: { provider_id: 'file:any', month: '2026-11', filename: 'bill.csv' },
  file: Buffer.from(`Date,Cost\n2026-11-01,${(bills += 1)}\n`),
});

/** How to call every managing endpoint so that it changes something, and what it records. */
const CHANGES: Partial<Record<EndpointName, [AuditAction, () => Promise<TestCallOptions<EndpointName>>]>> = {
  create_api_key: ['key.created', async () => ({ body: { name: 'Shop', kind: 'member' } })],
  update_api_key: ['key.updated', async () => ({ ...(await createKey()), body: { name: 'Store' } })],
  rotate_api_key: ['key.rotated', async () => ({ ...(await createKey()), body: { overlap_hours: 0 } })],
  delete_api_key: ['key.revoked', createKey],
  create_credit: ['credit.added', async () => ({ body: { amount_usd: '5.00', description: 'x'.repeat(300) } })],
  create_refund: [
    'refund.created',
    async () => {
      const { id, lease } = await createWork();
      await settleSucceeded(service.deps, lease, RESULT);
      return { body: { generation_id: id, reason: 'Blurred' } };
    },
  ],
  create_provider_bill: ['provider_bill.added', async () => bill()],
  delete_provider_bill: [
    'provider_bill.deleted',
    async () => ({ params: { bill_id: (await service.call('create_provider_bill', bill())).body.id } }),
  ],
  settle_findings: [
    'closing.settled',
    async () => {
      const { provider_id, month } = bill().query;
      await service.call('create_provider_bill', bill());
      return { body: { month, provider_id, kind: 'theirs_only', action: 'book_cost', note: 'A test in the console' } };
    },
  ],
  close_month: ['closing.closed', async () => ({ params: { month: '2025-01' } })],
  reopen_month: [
    'closing.reopened',
    async () => {
      await service.call('close_month', { params: { month: '2025-02' } });
      return { params: { month: '2025-02' }, body: { reason: 'A late bill' } };
    },
  ],
  decide_review: [
    'review.decided',
    async () => {
      const { id, lease } = await createWork();
      await openReview(service.deps, lease, 'A person must look.', RESULT);
      return { params: { generation_id: id }, body: { decision: 'reject', note: 'No.' } };
    },
  ],
  connect_provider: ['provider.connected', async () => ({ body: provider() })],
  update_provider: ['provider.paused', async () => ({ ...(await connect()), body: { state: 'paused' } })],
  rotate_provider_key: ['provider.key_rotated', async () => ({ ...(await connect()), body: { key: KEY } })],
  set_billing_key: ['provider.billing_key_set', async () => ({ ...(await connectOpenAi()), body: { key: costs.key } })],
  remove_billing_key: ['provider.billing_key_removed', setBillingKey],
  read_provider_bill: [
    'provider_bill.read',
    async () => ({ body: { provider_id: (await setBillingKey()).params.provider_id, month: '2026-11' } }),
  ],
  disconnect_provider: ['provider.disconnected', connect],
  create_added_model: ['added_model.created', draftModel],
  update_added_model: [
    'added_model.published',
    async () => ({ params: (await addModel()).params, body: { state: 'published' } }),
  ],
  upgrade_added_model: [
    'added_model.upgraded',
    async () => {
      const { params, hash } = await addModel();
      return { params, body: { hash, task: 'image.create', price: PRICE } };
    },
  ],
  remove_added_model: ['added_model.removed', async () => ({ params: (await addModel()).params })],
  set_catalog_label: ['catalog_label.set', async () => LABEL],
  delete_catalog_label: [
    'catalog_label.deleted',
    async () => {
      await service.call('set_catalog_label', LABEL);
      return { params: LABEL.params };
    },
  ],
  set_budget: ['budget.set', async () => ({ body: BUDGET })],
  delete_budget: [
    'budget.deleted',
    async () => ({ params: { budget_id: (await service.call('set_budget', { body: BUDGET })).body.id } }),
  ],
  set_tag: ['tag.set', async () => TAG],
  delete_tag: [
    'tag.deleted',
    async () => {
      await service.call('set_tag', TAG);
      return { params: TAG.params };
    },
  ],
  acknowledge_alert: [
    'alert.acknowledged',
    async () => {
      const [id, now] = [createId('alt', new Date()), new Date()];
      const alert = { kind: 'low_balance', subject_id: '', subject_name: '', period: id, message: 'Low.' } as const;
      const { organization_id } = service;
      await service.deps.db.insert(alerts).values({ ...alert, id, organization_id, raised_at: now });
      return { params: { alert_id: id } };
    },
  ],
  update_settings: ['settings.changed', async () => ({ body: { members_see_own_work_only: true } })],
  set_logo: [
    'settings.changed',
    async () => {
      const picture = sharp({ create: { width: 8, height: 8, channels: 3, background: '#c47f17' } }).png();
      return { body: { image: (await picture.toBuffer()).toString('base64') } };
    },
  ],
  decide_request: [
    'request.decided',
    async () => {
      const { body: budget } = await service.call('set_budget', { body: BUDGET });
      const ask = { kind: 'budget', budget_id: budget.id, amount_usd: '1', note: 'More, please.' };
      const { body } = await service.call('create_request', { body: ask });
      return { params: { request_id: body.id }, body: { decision: 'reject' } };
    },
  ],
  pause_batch: ['batch.paused', createBatch],
  resume_batch: [
    'batch.resumed',
    async () => {
      const { params } = await createBatch();
      const { session } = await service.addPerson('administrator', `Pauser ${(people += 1)}`);
      await service.call('pause_batch', { key: session, params });
      return { params, body: { stop_at_usd: '5' } };
    },
  ],
  cancel_batch: ['batch.canceled', async () => ({ ...(await createBatch()), body: {} })],
  cancel_workflow_run: ['workflow_run.canceled', async () => ({ ...(await createRun()), body: { reason: 'No.' } })],
  retry_workflow_run: [
    'workflow_run.retried',
    async () => {
      const { params } = await createRun();
      const { session } = await service.addPerson('administrator', `Canceler ${(people += 1)}`);
      await service.call('cancel_workflow_run', { key: session, params, body: {} });
      return { params, idempotency_key: 'retry' };
    },
  ],
  cancel_generation: ['generation.canceled', async () => ({ params: await foreignGeneration() })],
  cancel_generations: [
    'generation.canceled',
    async () => ({ body: { ids: [(await foreignGeneration()).generation_id] } }),
  ],
  retry_generation: [
    'generation.retried',
    async () => {
      const params = await foreignGeneration();
      await service.call('cancel_generation', { params });
      return { params };
    },
  ],
  update_me: ['person.updated', async () => ({ key: (await signIn()).key, body: { name: 'Renamed', email: null } })],
  confirm_email: [
    'person.updated',
    async () => {
      const { key, person_id, pending_email: value } = await enterEmail();
      await storeChallenge(service.deps, 'mgs_eml_test', { purpose: 'email.confirm', value, person_id }, 60_000);
      return { key, body: { token: 'mgs_eml_test' } };
    },
  ],
  cancel_pending_email: ['person.updated', async () => ({ key: (await enterEmail()).key })],
  create_passkey: ['passkey.added', async () => startPasskey((await signIn()).key)],
  update_passkey: ['passkey.changed', async () => ({ ...(await createPasskey()), body: { name: 'Desk' } })],
  delete_passkey: ['passkey.removed', createPasskey],
  update_person: ['person.updated', async () => ({ ...(await addPerson()), body: { name: 'Mia', role: 'viewer' } })],
  remove_person: ['person.removed', addPerson],
  create_invitation: ['person.invited', async () => ({ body: { role: 'member' } })],
  revoke_invitation: [
    'invitation.revoked',
    async () => ({
      params: { invitation_id: (await service.call('create_invitation', { body: { role: 'member' } })).body.id },
    }),
  ],
  archive_bare_media: ['media.exported_without_credentials', async () => ({ body: { ids: [await addUpload()] } })],
  create_webhook_endpoint: [
    'webhook.created',
    async () => ({ body: { url: 'https://public.test/new', events: ['generation.failed'] } }),
  ],
  rotate_webhook_secret: ['webhook.secret_rotated', createEndpoint],
  delete_webhook_endpoint: ['webhook.deleted', createEndpoint],
};

const managing = Object.entries(endpoints as Record<string, EndpointSpec>).flatMap(([name, { method, permission }]) =>
  method !== 'GET' && permission !== null && /manage|decide/.test(permission) ? [name as EndpointName] : [],
);

const acts = (Object.keys(CHANGES) as EndpointName[]).filter((name) => !managing.includes(name));

const ownEvents = async () =>
  service.deps.db
    .select()
    .from(auditEvents)
    .where(inArray(auditEvents.actor_type, ['key', 'person']))
    .orderBy(auditEvents.seq);

describe('every managing endpoint', () => {
  it.each([...managing, ...acts])('%s records exactly one event of its caller', async (name) => {
    const change = CHANGES[name];
    if (!change) return expect(EXCEPTIONS, `a change for ${name}`).toHaveProperty(name);
    const [action, prepare] = change;
    const options = await prepare();
    const before = await ownEvents();
    await service.call(name, options);
    const added = (await ownEvents()).slice(before.length);
    expect(added.map((event) => event.action)).toEqual([action]);
    const text = JSON.stringify(added, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
    expect(text).not.toMatch(new RegExp(`${KEY}|whsec_|mgs_org_|x{201}`));
  });

  it.each([
    ['export_ledger', {}],
    ['export_statement', {}],
    ['export_audit_events', {}],
    ['export_margin', {}],
    ['export_focus', { period: '2026-11', view: 'costs' }],
  ] as const)('%s records what was exported', async (name, query) => {
    const before = await ownEvents();
    await service.callCsv(name, { query });
    expect((await ownEvents()).slice(before.length).map(({ action }) => action)).toEqual(['export.created']);
  });
});
