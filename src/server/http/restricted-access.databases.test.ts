import { RUN_PRICE } from '#contract/added-models/testing/run-price.ts';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  ACCESS_RULES,
  type AccessOutcome,
  type AccessRule,
  type MutatingEndpointName,
  RESTRICTED_ACCESS,
  RESTRICTED_CREDENTIALS,
  type RestrictedCredential,
} from '#contract/restricted-access.ts';
import type { BodyInput } from '#contract/api/endpoints.ts';
import { createId } from '#server/platform/core/create-id.ts';
import { organizations } from '#server/platform/db/schema/organization-schema.ts';
import { uploads } from '#server/platform/db/schema/schema.ts';
import { createSession } from '#server/accounts/keys/sessions.ts';
import { createScriptedEngine } from '#server/studio/generations/testing/scripted-engine.ts';
import { describeOnBothDatabases } from '#server/studio/generations/testing/shared-service-fixture.ts';
import { isErrorResponse, type TestCallOptions } from '#server/app/testing/test-client.ts';
import type { TestService } from '#server/app/testing/test-service.ts';

type Call = TestCallOptions<MutatingEndpointName>;
type Credentials = Record<RestrictedCredential, string>;

const ORDER = { task: 'image.create', model: 'imgmodel-a-2', input: { prompt: 'a cat' } };
const UNKNOWN = '01m7y6v0gyeg6ksk7hyezzk3qs';
const BILL_QUERY = { provider_id: 'file:any', month: '2026-11', filename: 'bill.csv' };

let service: TestService;
let mia: { key: string; person_id: string; key_id: string };
let noaKeyId: string;
let adminKey: string;
let auditor: { key: string; key_id: string };
let budget_id: string;
let slugs = 0;

async function createPeople(): Promise<void> {
  const { person, session } = await service.addPerson('member', 'Mia');
  mia = { key: session, person_id: person.id, key_id: person.key_id };
  noaKeyId = (await service.addPerson('member', 'Noa')).person.key_id;
  const ada = (await service.addPerson('administrator', 'Ada')).session;
  const own = { name: 'Ada’s', kind: 'member', owner: 'me' } as const;
  adminKey = (await service.call('create_api_key', { key: ada, body: own })).body.key;
  const eva = await service.addPerson('auditor', 'Eva');
  const auditorKey = { name: 'Eva’s', kind: 'organization' } as const;
  const { key } = (await service.call('create_api_key', { key: eva.session, body: auditorKey })).body;
  auditor = { key, key_id: eva.person.key_id };
  await service.call('create_credit', { body: { amount_usd: '900.00', description: 'Work' } });
  const budget = { scope: 'model:imgmodel-a-2', interval: 'day', limit_usd: '500' };
  budget_id = (await service.call('set_budget', { body: budget })).body.id;
  await service.call('create_workflow_starter', { key: mia.key, body: starter('mias') });
}

const starter = (slug: string) => ({
  slug,
  name: slug,
  input_schema: { type: 'object', properties: {} },
  steps: [{ key: 'a', name: 'A', ...ORDER }],
});
const nextSlug = () => `starter-${(slugs += 1)}`;

async function createCredentials(): Promise<Credentials> {
  const create = async (body: BodyInput<'create_api_key'>) => (await service.call('create_api_key', { body })).body.key;
  const scoped = (scopes: object) =>
    create({ name: 'K', kind: 'organization', scopes: { tasks: null, models: null, read_only: false, ...scopes } });
  const imageKey = await scoped({ tasks: ['image.create'] });
  const opened = (await service.call('create_session', { key: imageKey })).body;
  const session = await createSession(service.deps, noaKeyId, { method: 'link' });
  const auditorSession = await createSession(service.deps, auditor.key_id, { method: 'link' });
  return {
    read_only: await scoped({ read_only: true }),
    scoped: imageKey,
    scoped_session: opened.secret ?? '',
    trim_only: await scoped({ tasks: ['video.trim'] }),
    expiring: await create({ name: 'K', kind: 'organization', expires_at: '2999-01-01T00:00:00Z' }),
    member: service.keys.member,
    publishing: service.keys.publishing,
    member_session: session?.secret ?? '',
    admin_member_key: adminKey,
    auditor_session: auditorSession?.secret ?? '',
    auditor_key: auditor.key,
  };
}

const configure = (change: { members_see_own_work_only: boolean; approval_above_micro_usd: bigint | null }) =>
  service.deps.db.update(organizations).set(change).where(eq(organizations.id, service.organization_id));
const OPEN = { members_see_own_work_only: false, approval_above_micro_usd: null };

/** What Mia made, to be changed by others. The file itself is not needed. */
const objects = {
  async generation() {
    return (await service.call('create_generation', { key: mia.key, body: ORDER })).body.id;
  },
  async canceledGeneration() {
    const generation_id = await objects.generation();
    await service.call('cancel_generation', { key: mia.key, params: { generation_id } });
    return generation_id;
  },
  async batch() {
    const body = { mode: 'list', orders: [ORDER, ORDER], stop_at_usd: '0.03' };
    return (await service.call('create_batch', { key: mia.key, body })).body.id;
  },
  async pausedBatch() {
    const batch_id = await objects.batch();
    await service.call('pause_batch', { key: mia.key, params: { batch_id } });
    return batch_id;
  },
  async run() {
    const body = { starter_slug: 'mias', input: {} };
    return (await service.call('create_workflow_run', { key: mia.key, body })).body.id;
  },
  async canceledRun() {
    const workflow_run_id = await objects.run();
    await service.call('cancel_workflow_run', { key: mia.key, params: { workflow_run_id }, body: {} });
    return workflow_run_id;
  },
  async upload() {
    const id = createId('upl', new Date());
    const file = { type: 'image', mime_type: 'image/png', storage_key: `uploads/${id}.png`, size_bytes: 1 } as const;
    const { organization_id, deps } = service;
    const row = {
      ...file,
      id,
      organization_id,
      created_by: mia.key_id,
      sha256: 'a'.repeat(64),
      created_at: new Date(),
    };
    await deps.db.insert(uploads).values(row);
    return id;
  },
  async trashedUpload() {
    const id = await objects.upload();
    await service.call('delete_media', { key: mia.key, body: { ids: [id], to_trash: true } });
    return id;
  },
  async collection() {
    return (await service.call('create_collection', { key: mia.key, body: { name: 'Mia’s' } })).body.id;
  },
  async share() {
    const body = { media_id: await objects.upload() };
    return (await service.call('create_share', { key: mia.key, body })).body.id;
  },
  async preset() {
    const body = { name: 'Mia’s', ...ORDER, shared: true };
    return (await service.call('create_preset', { key: mia.key, body })).body.id;
  },
  async request() {
    const body = { kind: 'budget', budget_id, amount_usd: '1', note: 'More, please.' };
    return (await service.call('create_request', { key: mia.key, body })).body.id;
  },
  async starter() {
    const slug = nextSlug();
    await service.call('create_workflow_starter', { key: mia.key, body: starter(slug) });
    return slug;
  },
  async key() {
    const body = { name: 'Mia’s', kind: 'member' };
    return (await service.call('create_api_key', { key: mia.key, body })).body.id;
  },
  async session() {
    await createSession(service.deps, mia.key_id, { method: 'link' });
    const { data } = (await service.call('list_sessions', { key: mia.key })).body;
    return data.find(({ is_current }) => !is_current)?.id ?? '';
  },
};

type Prepare = () => Promise<Call>;
const of = (name: string, object: () => Promise<string>, body?: object): Prepare => {
  return async () => ({ params: { [name]: await object() }, ...(body && { body: body as Record<string, unknown> }) });
};
const generation = (body?: object) => of('generation_id', objects.generation, body);
const media = (field: 'ids' | 'media_ids', object: () => Promise<string>, more: object = {}): Prepare => {
  return async () => ({ body: { [field]: [await object()], ...more } });
};
const send = (body: object = {}, params: Record<string, string> = {}): Prepare => {
  return async () => ({ body: body as Record<string, unknown>, params });
};
const call = (params: Record<string, string> = {}): Prepare => {
  return async () => ({ params });
};
const managed = {
  endpoint_id: UNKNOWN,
  delivery_id: `dlv_${UNKNOWN}`,
  provider_id: UNKNOWN,
  alert_id: `alt_${UNKNOWN}`,
};

/** How each endpoint is called with an object of Mia. */
const CALLS = {
  create_generation: send(ORDER),
  cancel_generation: generation(),
  cancel_generations: media('ids', objects.generation),
  retry_generation: of('generation_id', objects.canceledGeneration),
  save_post: generation({ post_id: 'x' }),
  check_reference: send({ url: 'https://192.0.2.1/x.png' }),
  decide_review: generation({ decision: 'reject' }),
  create_batch: send({ mode: 'together', orders: [ORDER, ORDER] }),
  estimate_batch: send({ orders: [ORDER] }),
  pause_batch: of('batch_id', objects.batch),
  resume_batch: of('batch_id', objects.pausedBatch, { stop_at_usd: null }),
  cancel_batch: of('batch_id', objects.batch, {}),
  retry_batch: of('batch_id', objects.batch),
  create_workflow_run: send({ starter_slug: 'mias', input: {} }),
  cancel_workflow_run: of('workflow_run_id', objects.run, {}),
  retry_workflow_run: async () => ({
    params: { workflow_run_id: await objects.canceledRun() },
    idempotency_key: createId('run', new Date()),
  }),
  estimate_workflow_run_retry: of('workflow_run_id', objects.canceledRun, {}),
  create_workflow_starter: async () => ({ body: starter(nextSlug()) }),
  update_workflow_starter: async () => {
    const slug = await objects.starter();
    return { params: { slug }, body: starter(slug) };
  },
  delete_workflow_starter: of('slug', objects.starter),
  estimate_workflow: send({ input: {} }, { slug: 'mias' }),
  validate_workflow: send({ definition: starter('new') }),
  create_upload: call(),
  delete_upload: of('upload_id', objects.upload),
  rename_media: of('media_id', objects.upload, { name: 'Renamed' }),
  add_favourite: of('media_id', objects.upload),
  remove_favourite: of('media_id', objects.upload),
  delete_media: media('ids', objects.upload),
  restore_media: media('ids', objects.trashedUpload),
  label_media: media('media_ids', objects.upload, { add: ['cat'], remove: [] }),
  archive_media: media('ids', objects.upload),
  archive_bare_media: media('ids', objects.upload),
  create_collection: send({ name: 'New' }),
  update_collection: of('collection_id', objects.collection, { name: 'Changed' }),
  delete_collection: of('collection_id', objects.collection),
  add_collection_media: async () => ({
    params: { collection_id: await objects.collection() },
    body: { media_ids: [await objects.upload()] },
  }),
  remove_collection_media: async () => ({
    params: { collection_id: await objects.collection() },
    body: { media_ids: [await objects.upload()] },
  }),
  create_share: async () => ({ body: { media_id: await objects.upload() } }),
  update_share: of('share_id', objects.share, { title: 'Changed' }),
  revoke_share: of('share_id', objects.share),
  create_preset: send({ name: 'New', ...ORDER }),
  update_preset: of('preset_id', objects.preset, { name: 'Changed' }),
  delete_preset: of('preset_id', objects.preset),
  improve_prompt: send({ task: ORDER.task, model: ORDER.model, prompt: 'a cat' }),
  create_request: async () => ({ body: { kind: 'budget', budget_id, amount_usd: '1', note: 'More, please.' } }),
  cancel_request: of('request_id', objects.request),
  decide_request: of('request_id', objects.request, { decision: 'reject' }),
  create_refund: send(),
  create_credit: send(),
  set_budget: send(),
  delete_budget: call({ budget_id: `bud_${UNKNOWN}` }),
  preview_provider_bill: async () => ({ query: BILL_QUERY, file: Buffer.from('x') }),
  create_provider_bill: async () => ({ query: BILL_QUERY, file: Buffer.from('x') }),
  read_provider_bill: send({ provider_id: UNKNOWN, month: '2026-11' }),
  delete_provider_bill: call({ bill_id: `bil_${UNKNOWN}` }),
  settle_findings: async () => ({
    body: { month: '2026-11', provider_id: 'file:any', kind: 'ours_only', action: 'write_off', note: 'Free' },
  }),
  close_month: call({ month: '2025-01' }),
  reopen_month: async () => ({ params: { month: '2025-02' }, body: { reason: 'A late bill' } }),
  reprice_spending: send(),
  set_tag: send({}, { tag_name: 'client' }),
  delete_tag: call({ tag_name: 'client' }),
  update_settings: send(),
  set_logo: send({ image: null }),
  acknowledge_alert: call(managed),
  create_webhook_endpoint: send(),
  delete_webhook_endpoint: call(managed),
  enable_webhook_endpoint: call(managed),
  rotate_webhook_secret: call(managed),
  test_webhook_endpoint: call(managed),
  recover_webhook_endpoint: send({}, managed),
  redeliver_webhook: call(managed),
  connect_provider: send(),
  test_provider_key: send(),
  update_provider: send({}, managed),
  rotate_provider_key: send({}, managed),
  set_billing_key: send({}, managed),
  remove_billing_key: call(managed),
  test_provider: send({}, managed),
  disconnect_provider: call(managed),
  create_added_model: send({
    provider_id: UNKNOWN,
    address: 'fal-ai/any',
    hash: 'x',
    name: 'Any',
    task: 'image.create',
    price: RUN_PRICE,
  }),
  search_provider_models: send({ provider_id: UNKNOWN, q: 'any' }),
  inspect_model: send({ provider_id: UNKNOWN, address: 'fal-ai/any' }),
  update_added_model: send({ name: 'Any' }, { model_id: UNKNOWN }),
  remove_added_model: call({ model_id: UNKNOWN }),
  test_added_model: async () => ({
    params: { model_id: UNKNOWN },
    body: { input: {} },
    idempotency_key: createId('run', new Date()),
  }),
  upgrade_added_model: send(
    {
      hash: 'x',
      task: 'image.create',
      price: RUN_PRICE,
    },
    { model_id: UNKNOWN },
  ),
  set_catalog_label: send({}, { catalog_id: 'image.create' }),
  delete_catalog_label: call({ catalog_id: 'image.create' }),
  create_api_key: send({ name: 'New', kind: 'member' }),
  update_api_key: of('key_id', objects.key, { name: 'Changed' }),
  rotate_api_key: of('key_id', objects.key, {}),
  delete_api_key: of('key_id', objects.key),
  update_person: async () => ({ params: { person_id: mia.person_id }, body: { role: 'administrator' } }),
  remove_person: async () => ({ params: { person_id: mia.person_id } }),
  create_invitation: send({ role: 'administrator' }),
  revoke_invitation: call({ invitation_id: `inv_${UNKNOWN}` }),
  update_me: send({ name: 'Changed', email: null }),
  confirm_email: send({ token: 'mgs_eml_unknown' }),
  resend_email_confirmation: call(),
  cancel_pending_email: call(),
  start_passkey_registration: call(),
  create_passkey: send({
    name: 'Mine',
    credential: { id: 'x', rawId: 'x', type: 'public-key', response: { clientDataJSON: 'x', attestationObject: 'x' } },
  }),
  update_passkey: send({ name: 'Changed' }, { passkey_id: UNKNOWN }),
  delete_passkey: call({ passkey_id: UNKNOWN }),
  create_sign_in_token: call(),
  create_session: call(),
  delete_session: call(),
  end_other_sessions: call(),
  end_session: of('session_id', objects.session),
} satisfies Record<MutatingEndpointName, Prepare>;

/** Rules whose requests succeed as they are sent here, so that `allowed` is a success. */
const WORK_RULES: readonly string[] = [
  'order',
  'change',
  'change_listed',
  'change_shared',
  'retry',
  'continue',
  'owned',
  'create_key',
  'open_session',
];

const LISTS: Partial<Record<MutatingEndpointName, string>> = {
  cancel_generations: 'canceled',
  delete_media: 'deleted',
  restore_media: 'restored_ids',
  label_media: 'media',
};

interface Settings {
  own_work: boolean;
  approvals: boolean;
}

function expectedOutcome(name: MutatingEndpointName, credential: RestrictedCredential, settings: Settings) {
  const rule: AccessRule = ACCESS_RULES[RESTRICTED_ACCESS[name]];
  if (credential === 'member_session') {
    if (settings.own_work && rule.own_work) return rule.own_work;
    if (settings.approvals && rule.approvals) return rule.approvals;
  }
  if (rule.allowed?.includes(credential)) return 'allowed';
  if (rule.hidden?.includes(credential)) return 'hidden';
  return rule.people_only?.includes(credential) ? 'people_only' : 'refused';
}

const ERROR_OUTCOMES: Readonly<Record<number, AccessOutcome>> = { 401: 'refused', 402: 'approval', 404: 'hidden' };

async function readOutcome(name: MutatingEndpointName, key: string, options: Call): Promise<AccessOutcome | string> {
  const response = await service.request(name, { ...options, key });
  const rule = RESTRICTED_ACCESS[name];
  if (isErrorResponse(response)) {
    const { status, error } = response;
    if (error.message.startsWith('This is only for people') || error.message.includes('no session to end'))
      return 'people_only';
    // What is managed does not exist here: it is enough that the permission lets it through.
    if (status === 404 && (rule === 'manage' || error.message.includes('no such post'))) return 'allowed';
    const outcome = ERROR_OUTCOMES[status];
    if (outcome) return outcome;
    return WORK_RULES.includes(rule) ? `${status} ${error.message}` : 'allowed';
  }
  const list = LISTS[name];
  const changed: unknown = list === undefined ? null : (response.body as unknown as Record<string, unknown>)[list];
  return Array.isArray(changed) && changed.length === 0 ? 'skipped' : 'allowed';
}

const ALL_SETTINGS: Settings[] = [
  { own_work: false, approvals: false },
  { own_work: true, approvals: false },
  { own_work: false, approvals: true },
  { own_work: true, approvals: true },
];
const settingsOfTier = ALL_SETTINGS.filter(
  ({ own_work, approvals }) => own_work === approvals || process.env['TEST_TIER'] === 'more',
);
const names = Object.keys(RESTRICTED_ACCESS) as MutatingEndpointName[];
/** Other endpoints are called with none of the settings, and with both. */
const isAffected = (name: MutatingEndpointName): boolean => {
  const rule: AccessRule = ACCESS_RULES[RESTRICTED_ACCESS[name]];
  return rule.own_work !== undefined || rule.approvals !== undefined;
};
const credentials = Object.keys(RESTRICTED_CREDENTIALS) as RestrictedCredential[];

describeOnBothDatabases(
  'Restricted access',
  () => ({ engines: [createScriptedEngine()], config: { publicRateLimitPerMinute: 100_000 } }),
  (shared) => {
    beforeAll(async () => {
      service = shared.get();
      await createPeople();
    });

    describe.each(settingsOfTier)('with own work $own_work and approvals $approvals', (settings) => {
      let keys: Credentials;
      beforeAll(async () => {
        await configure(OPEN);
        keys = await createCredentials();
      });
      afterAll(() => configure(OPEN));

      it.each(names.filter((name) => settings.own_work === settings.approvals || isAffected(name)))(
        '%s is for those whom the table names',
        async (name) => {
          const expected = Object.fromEntries(credentials.map((each) => [each, expectedOutcome(name, each, settings)]));
          const prepare = async () => {
            await configure(OPEN);
            const prepared = await CALLS[name]();
            await configure({
              members_see_own_work_only: settings.own_work,
              approval_above_micro_usd: settings.approvals ? 10_000n : null,
            });
            return prepared;
          };
          // Refusals change nothing, so they share an object.
          const shared = await prepare();
          const found: Record<string, string> = {};
          for (const each of credentials) {
            const options = expected[each] === 'allowed' ? await prepare() : shared;
            found[each] = await readOutcome(name, keys[each], options);
          }
          if (name.startsWith('end_') || name === 'delete_session') keys = await createCredentials();
          expect(found).toEqual(expected);
        },
      );
    });
  },
);
