import { afterEach, expect, it } from 'vitest';
import type { List } from '#contract/primitives.ts';
import type { Generation } from '#contract/resources/generation.ts';
import type { InvitationCreated } from '#contract/resources/person.ts';
import type { ApprovalRequest } from '#contract/resources/request.ts';
import type { SessionCreated } from '#contract/resources/session.ts';
import { expectBalancedLedger } from '#server/studio/generations/testing/expect-balanced-ledger.ts';
import { waitFor } from '#server/studio/generations/testing/wait-for.ts';
import { type ServiceProcess, prepareServiceProcess } from '#server/app/testing/service-process.ts';
import { sharedPostgres } from '#server/app/testing/shared-postgres.ts';

const PICTURE = { task: 'image.create', model: 'imgmodel-a-2', input: { prompt: 'a lighthouse at dusk' } };

const services: ServiceProcess[] = [];
afterEach(async () => {
  await Promise.all(services.splice(0).map((service) => service.remove()));
});

async function newService(): Promise<ServiceProcess> {
  const service = await prepareServiceProcess();
  services.push(service);
  return service;
}

async function send<T>(service: ServiceProcess, method: string, path: string, body: unknown, key = service.key) {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const response = await fetch(service.url(path), { method, headers, body: JSON.stringify(body) });
  expect(response.ok, `${path}: ${response.status}`).toBe(true);
  return (await response.json()) as T;
}

/** A member asks for an order above the limit. Returns the id of the request. */
async function askForApproval(service: ServiceProcess): Promise<string> {
  const { url } = await service.post<InvitationCreated>('/v1/invitations', { role: 'member' });
  const token = new URL(url).hash.replace('#token=', '');
  const { secret } = await service.post<SessionCreated>('/v1/invitations/accept', { token, name: 'Ada' });
  await send(service, 'PUT', '/v1/settings', { approval_above_usd: '0.01' });
  const body = { kind: 'order', order: { type: 'generation', generation: PICTURE }, note: 'For the fair' };
  return (await send<ApprovalRequest>(service, 'POST', '/v1/requests', body, secret ?? '')).id;
}

const decide = (service: ServiceProcess, id: string) =>
  service.send(`/v1/requests/${id}/decision`, { decision: 'approve' });

/** Expects that the approved order ran once, and that a second decision changes nothing. */
async function expectOneResult(service: ServiceProcess, id: string): Promise<void> {
  const list = async () => (await service.get<List<Generation>>('/v1/generations')).data;
  await waitFor('the order to complete', async () => (await list()).every(({ status }) => status === 'succeeded'));
  expect(await decide(service, id)).toMatchObject({ status: 409, body: { error: { code: 'request_not_pending' } } });
  const generations = await list();
  const { status, generation_id } = await service.get<ApprovalRequest>(`/v1/requests/${id}`);
  expect([status, generations.map((generation) => generation.id)]).toEqual(['approved', [generation_id]]);
  expect(generations[0]?.output.assets).toHaveLength(1);
  await expectBalancedLedger(service, generations);
}

it('runs an approved order once if the process that took the decision is killed before any can start it', async (context) => {
  const postgres = await sharedPostgres();
  if (!postgres) return context.skip();
  const databaseUrl = await postgres.createDatabase();
  const [api, all] = [await newService(), await newService()];
  const env = { SECRET_KEY: 's'.repeat(40) };
  await api.start(databaseUrl, { ...env, ROLE: 'api' });
  const id = await askForApproval(api);
  expect((await decide(api, id)).status).toBe(200);
  const { data } = await api.get<List<Generation>>('/v1/generations');
  expect(data.map(({ status }) => status)).toEqual(['queued']);
  await api.stop('SIGKILL');
  await all.start(databaseUrl, env);
  await expectOneResult(all, id);
});
