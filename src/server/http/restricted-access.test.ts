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
import type { BodyInput } from '#contract/endpoints.ts';
import { createId } from '#server/core/create-id.ts';
import { organizations } from '#server/db/organization-schema.ts';
import { uploads } from '#server/db/schema.ts';
import { createScriptedEngine } from '#server/generations/testing/scripted-engine.ts';
import { isErrorResponse, type TestCallOptions } from '#server/testing/test-client.ts';
import { createTestService, type TestService } from '#server/testing/test-service.ts';

type Call = TestCallOptions<MutatingEndpointName>;
type Credentials = Record<RestrictedCredential, string>;

const ORDER = { task: 'image.create', model: 'imgmodel-a-2', input: { prompt: 'a cat' } };
const UNKNOWN = '01m7y6v0gyeg6ksk7hyezzk3qs';

let service: TestService;
let mia: { key: string; person_id: string; key_id: string };
let noa: string;
let admin_key: string;
let budget_id: string;
let slugs = 0;

beforeAll(async () => {
  service = await createTestService({ engines: [createScriptedEngine()], config: { rate_limit_per_minute: 100_000 } });
  const { person, session } = await service.addPerson('member', 'Mia');
  mia = { key: session, person_id: person.id, key_id: person.key_id };
  noa = (await service.addPerson('member', 'Noa')).session;
  const ada = (await service.addPerson('administrator', 'Ada')).session;
  const own = { name: 'Ada’s', kind: 'member', owner: 'me' } as const;
  admin_key = (await service.call('create_api_key', { key: ada, body: own })).body.key;
  await service.call('create_credit', { body: { amount_usd: '900.00', description: 'Work' } });
  const budget = { scope: 'model:imgmodel-a-2', interval: 'day', limit_usd: '500' };
  budget_id = (await service.call('set_budget', { body: budget })).body.id;
  await service.call('create_workflow_starter', { key: mia.key, body: starter('mias') });
});
afterAll(() => service.close());

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
  const image_key = await scoped({ tasks: ['image.create'] });
  const opened = (await service.call('create_session', { key: image_key })).body;
  const noas_key = { key: mia.key, body: { name: 'x', kind: 'member' } } as const;
  void noas_key;
  return {
    read_only: await scoped({ read_only: true }),
    scoped: image_key,
    scoped_session: opened.secret ?? '',
    trim_only: await scoped({ tasks: ['video.trim'] }),
    expiring: await create({ name: 'K', kind: 'organization', expires_at: '2999-01-01T00:00:00Z' }),
    member: service.keys.member,
    publishing: service.keys.publishing,
    member_session: noa,
    admin_member_key: admin_key,
  };
}
