import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ProviderConnect } from '#contract/resources/provider.ts';
import { providerConnections, textModelCalls } from '#server/platform/db/schema/provider-schema.ts';
import { createFakeOpenAiHandler } from '#server/models/providers/openai/testing/fake-openai-server.ts';
import {
  type FakeUpstreamServer,
  neverRespond,
  respondWith,
  startFakeUpstream,
  truncateResponse,
} from '#server/models/engine/testing/fake-upstream-server.ts';
import {
  describeOnBothDatabases,
  type TestOrganization,
} from '#server/studio/generations/testing/shared-service-fixture.ts';
import { createScriptedEngine } from '#server/studio/generations/testing/scripted-engine.ts';
import { createFetcher } from '#server/platform/net/fetcher.ts';
import { createTestClock } from '#server/app/testing/test-clock.ts';
import { cleanAnswer } from './improve-prompt.ts';

const KEY = 'sk-improve-0123456789';
const DAY_MS = 86_400_000;
const TEXT_MODEL = {
  model: 'qwen3:8b',
  input_usd_per_million: '1',
  output_usd_per_million: '2',
  daily_limit_usd: '1',
};
const BODY = { task: 'image.create', model: 'imgmodel-a-2', prompt: 'A teapot' } as const;

describeOnBothDatabases(
  'improving a prompt',
  () => ({
    engines: [createScriptedEngine()],
    fetcher: createFetcher({ allowPrivateNetworks: ['127.0.0.0/8'] }),
    clock: createTestClock(new Date('2026-02-10T10:00:00.000Z')),
  }),
  (service) => {
    let upstream: FakeUpstreamServer;
    let studio: TestOrganization;
    beforeAll(async () => {
      upstream = await startFakeUpstream(KEY, createFakeOpenAiHandler);
    });
    afterAll(() => upstream.close());
    beforeEach(async () => {
      upstream.upstream.answer = null;
      upstream.upstream.refuses_content = false;
      const { call, deps } = service.get();
      deps.clock.advance(DAY_MS);
      for (const { id } of (await call('list_providers')).body.data)
        await call('disconnect_provider', { params: { provider_id: id } });
      // Calls are counted by organization.
      studio = await service.createOrganization('50');
    });

    const connect = async (changes: Partial<ProviderConnect> = {}) => {
      const body = { provider: 'openai-compatible', address: upstream.base_url, key: KEY, models: [] } as const;
      return (await service.get().call('connect_provider', { body: { ...body, text_model: TEXT_MODEL, ...changes } }))
        .body;
    };
    const improve = async (changes: object = {}) =>
      (await studio.call('improve_prompt', { body: { ...BODY, ...changes } })).body.prompt;
    const improveError = async (changes: object = {}, key = studio.key) => {
      const { status, error } = await studio.callError('improve_prompt', { key, body: { ...BODY, ...changes } });
      return `${status} ${error.code} ${error.details?.[0]?.path ?? '-'}: ${error.message}`;
    };
    const calls = async () =>
      service
        .get()
        .deps.db.select()
        .from(textModelCalls)
        .where(eq(textModelCalls.organization_id, studio.organization_id));
    const textModel = async (provider_id: string) =>
      (await service.get().call('get_provider', { params: { provider_id } })).body.text_model;
    const update = async (provider_id: string, body: object) =>
      (await service.get().call('update_provider', { params: { provider_id }, body })).body;

    it('is absent without a text model, and announced with its cost to those who see costs', async () => {
      const { call, addPerson } = service.get();
      const me = async (key?: string) => (await call('get_me', key ? { key } : {})).body.improve_prompt;
      expect(await me()).toBeUndefined();
      expect(await improveError()).toMatch(/^400 model_unavailable -: No text model/);
      const { id } = await connect();
      const [member, viewer] = [await addPerson('member', 'Mia'), await addPerson('viewer', 'Vic')];
      expect(Number((await me())?.typical_cost_usd)).toBeGreaterThan(0);
      expect(await me(member.session)).toEqual({ typical_cost_usd: null });
      expect(await me(viewer.session)).toBeUndefined();
      expect(await improveError({}, viewer.session)).toMatch(/^401/);
      await update(id, { state: 'paused' });
      expect(await me()).toBeUndefined();
      await update(id, { state: 'active' });
      expect(await me()).toBeDefined();
      await service.get().call('disconnect_provider', { params: { provider_id: id } });
      expect(await me()).toBeUndefined();
    });

    it('returns the answer as plain text, and records its cost', async () => {
      const { id } = await connect();
      const now = service.get().deps.clock.now();
      expect(await improve()).toBe('A teapot, in the golden light of a low sun, shallow depth of field');
      const [row] = await calls();
      expect(row).toMatchObject({
        connection_id: id,
        task: 'image.create',
        model: 'imgmodel-a-2',
        status: 'succeeded',
      });
      const { input_tokens, output_tokens, cost_micro_usd } = row ?? expect.fail('Nothing is recorded.');
      expect(cost_micro_usd).toBe(BigInt((input_tokens ?? 0) + 2 * (output_tokens ?? 0)));
      const usage = { count: 1, cost_usd: `0.${String(cost_micro_usd).padStart(6, '0')}`.replace(/0+$/, '') };
      expect(await textModel(id)).toEqual({ ...TEXT_MODEL, is_used: true, today: usage, this_month: usage });
      const from = new Date(now.getTime() - 1000).toISOString();
      const to = new Date(now.getTime() + 1000).toISOString();
      const margin = (await studio.call('get_margin', { query: { from, to } })).body;
      expect(margin).toMatchObject({ prompt_improvements: usage, total: { count: 0, cost_usd: '0.00' } });
      const ledger = (await studio.call('list_ledger')).body.data.map(({ type }) => type);
      expect(new Set(ledger)).toEqual(new Set(['ADMIN_CREDIT', 'ADJUSTMENT']));
    });

    it('sends the prompt to the first active provider that has a text model', async () => {
      const first = await connect();
      const second = await connect({ text_model: { ...TEXT_MODEL, model: 'other' } });
      expect((await textModel(second.id))?.is_used).toBe(false);
      await update(first.id, { state: 'paused' });
      expect((await textModel(second.id))?.is_used).toBe(true);
      await improve();
      expect((await calls()).map(({ text_model }) => text_model)).toEqual(['other']);
    });

    it('rejects what has no prompt, is too long, or is beyond the key', async () => {
      await connect();
      expect(await improveError({ task: 'video.trim', model: null })).toMatch(/^422 invalid_request task:/);
      expect(await improveError({ task: 'social.search', model: null })).toMatch(/^422 invalid_request task:/);
      expect(await improveError({ model: null })).toMatch(/^400 model_required .*:/);
      expect(await improveError({ prompt: ' \n' })).toMatch(/^422 invalid_request prompt:/);
      expect(await improveError({ prompt: 'x'.repeat(8_001) })).toMatch(/^422 invalid_request prompt:/);
      const scopes = { tasks: ['video.trim'], models: null, read_only: false };
      const body = { name: 'Trim', kind: 'member', scopes };
      const { key } = (await studio.call('create_api_key', { body })).body;
      expect(await improveError({}, key)).toMatch(/^401 authentication_error .*:/);
      expect(await calls()).toEqual([]);
    });

    it('explains a refusal, an unfinished and an empty answer, and records what they cost', async () => {
      await connect();
      upstream.upstream.refuses_content = true;
      expect(await improveError()).toMatch(/^400 invalid_request prompt:/);
      upstream.upstream.refuses_content = false;
      upstream.upstream.answer = 'word '.repeat(5_000);
      expect(await improveError()).toMatch(/^503 service_unavailable -:.*did not finish/);
      upstream.upstream.answer = '<think>Nothing</think>""';
      expect(await improveError()).toMatch(/^503 service_unavailable -:.*no prompt/);
      const rows = await calls();
      expect(rows.map(({ status }) => status)).toEqual(['failed', 'failed', 'succeeded']);
      expect(rows.every(({ input_tokens, cost_micro_usd }) => input_tokens !== null && cost_micro_usd > 0n)).toBe(true);
    });

    it('explains failures of the provider; without a response the greatest cost counts', async () => {
      const { id } = await connect();
      const failWith = async (fault: Parameters<FakeUpstreamServer['injectFault']>[0]) => {
        upstream.injectFault(fault);
        return improveError();
      };
      expect(await failWith(respondWith(429, '{}'))).toMatch(/^503 service_unavailable -:.*is busy/);
      const revoked = JSON.stringify({ error: { message: `The key ${KEY} was revoked.` } });
      expect(await failWith(respondWith(401, revoked))).toMatch(/^400 model_unavailable .*:/);
      const { health } = (await service.get().call('get_provider', { params: { provider_id: id } })).body;
      expect(health?.last_problem?.message).toBe('The key ••• was revoked.');
      expect(await failWith(truncateResponse)).toMatch(/^503 service_unavailable -:.*was lost/);
      expect((await calls()).map(({ status, cost_micro_usd }) => [status, cost_micro_usd > 0n])).toEqual([
        ['failed', false],
        ['failed', false],
        ['unclear', true],
      ]);
      const offline = await startFakeUpstream(KEY, createFakeOpenAiHandler);
      await service.get().call('disconnect_provider', { params: { provider_id: id } });
      await connect({ address: offline.base_url });
      await offline.close();
      expect(await improveError()).toMatch(/^503 service_unavailable -:.*can’t be reached/);
    });

    it('stops at the limit of the day, also when calls are concurrent, and starts again at midnight', async () => {
      const { id } = await connect({ text_model: { ...TEXT_MODEL, daily_limit_usd: '0.02' } });
      upstream.upstream.answer = 'word '.repeat(3_000);
      // Each reserves at least 8,000 micro-dollars, so a third cannot start beside two others.
      const outcomes = await Promise.allSettled([improve(), improve(), improve()]);
      expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'fulfilled', 'rejected']);
      expect(await improveError()).toMatch(/^429 .*limit of \$0\.02 a day/);
      expect(await calls()).toHaveLength(2);
      expect(await improveError()).toMatch(/^429/);
      service.get().deps.clock.advance(DAY_MS);
      expect(await improve()).toMatch(/^word/);
      expect(await textModel(id)).toMatchObject({ today: { count: 1 }, this_month: { count: 3 } });
      await update(id, { text_model: { ...TEXT_MODEL, daily_limit_usd: '0' } });
      expect(await improveError()).toMatch(/^429/);
    });

    it('limits calls per minute and at the same time', async () => {
      await connect({ text_model: { ...TEXT_MODEL, daily_limit_usd: '100' } });
      const held: (() => void)[] = [];
      for (let at = 0; at < 4; at += 1)
        upstream.injectFault((_request, _response, serve) => void held.push(() => serve()));
      const waiting = Array.from({ length: 4 }, () => improve());
      await expect.poll(() => held.length).toBe(4);
      expect(await improveError()).toMatch(/^429 rate_limit_exceeded -:.*being improved/);
      for (const release of held) release();
      await Promise.all(waiting);
      for (let at = 0; at < 15; at += 1) await improve();
      expect(await improveError()).toMatch(/^429 rate_limit_exceeded -:.*Too many requests/);
    });

    it('ends the call when the client is gone', async () => {
      await connect();
      const url = `${await service.get().listen()}/v1/prompts/improve`;
      let arrived = () => undefined as void;
      const arrival = new Promise<void>((resolve) => (arrived = resolve));
      let closed = false;
      upstream.injectFault((request, response, serve) => {
        response.on('close', () => (closed = true));
        neverRespond(arrived)(request, response, serve);
      });
      const client = new AbortController();
      const headers = { authorization: `Bearer ${studio.key}`, 'content-type': 'application/json' };
      const sent = fetch(url, { method: 'POST', headers, body: JSON.stringify(BODY), signal: client.signal });
      await arrival;
      client.abort();
      await expect(sent).rejects.toThrow();
      await expect.poll(() => closed).toBe(true);
      expect((await calls()).map(({ status }) => status)).toEqual(['unclear']);
    });

    describe('the text model of a provider', () => {
      const events = async () =>
        (await service.get().call('list_audit_events', { query: { action: 'provider.updated' } })).body.data;

      it('is set, changed and removed, and the audit log has each change', async () => {
        const models = [{ task: 'image.create', model: 'imgmodel-a-2', provider_model: 'local-painter' }] as const;
        const { id, text_model } = await connect({
          models: models.map((choice) => ({ ...choice, markup_percent: null })),
          text_model: null,
        });
        expect(text_model).toBeNull();
        expect((await update(id, { text_model: TEXT_MODEL })).text_model).toMatchObject(TEXT_MODEL);
        expect((await events())[0]).toMatchObject({ before: {}, after: { text_model: TEXT_MODEL } });
        expect((await update(id, { models })).text_model).toMatchObject(TEXT_MODEL);
        expect((await update(id, { text_model: null })).text_model).toBeNull();
        expect((await events())[0]).toMatchObject({ before: { text_model: TEXT_MODEL }, after: {} });
        const [row] = await service
          .get()
          .deps.db.select()
          .from(providerConnections)
          .where(eq(providerConnections.id, id));
        expect(row?.text_model).toBeNull();
      });

      it('is rejected where it cannot work', async () => {
        const { callError } = service.get();
        const reject = async (changes: object) => {
          const body = { provider: 'openai-compatible', address: upstream.base_url, key: KEY, models: [], ...changes };
          const { status, error } = await callError('connect_provider', { body });
          return [status, error.details?.[0]?.path];
        };
        // The models of a compatible server can be added; those of Gemini can't.
        expect(await reject({ provider: 'gemini' })).toEqual([422, 'models']);
        for (const model of ['', 'two words', '../models', 'x'.repeat(201)])
          expect(await reject({ text_model: { ...TEXT_MODEL, model } })).toEqual([422, 'text_model.model']);
        for (const daily_limit_usd of ['-1', '1e3', '0.0000001', 'much'])
          expect(await reject({ text_model: { ...TEXT_MODEL, daily_limit_usd } })).toEqual([
            422,
            'text_model.daily_limit_usd',
          ]);
        expect(await reject({ provider: 'fal', text_model: TEXT_MODEL })).toEqual([422, 'text_model']);
      });
    });
  },
);

it('makes plain text of answers', () => {
  expect(cleanAnswer(' “A teapot” \n', 100)).toBe('A teapot');
  expect(cleanAnswer('```text\nA "blue" teapot\n```', 100)).toBe('A "blue" teapot');
  expect(cleanAnswer('"Tea" beside "milk"', 100)).toBe('"Tea" beside "milk"');
  expect(cleanAnswer('A\u0000 te\u001bapot\r\nwith milk', 100)).toBe('A teapot\nwith milk');
  expect(cleanAnswer('🫖🫖🫖', 2)).toBe('🫖🫖');
  expect(cleanAnswer('👩‍🎨 paints', 100)).toBe('👩‍🎨 paints');
  expect(cleanAnswer('`', 100)).toBe('`');
});
