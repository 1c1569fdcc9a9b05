import { setTimeout as sleep } from 'node:timers/promises';
import { APIConnectionTimeoutError } from 'openai';
import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { createApp } from '#server/http/create-app.ts';
import { createTestClient } from '#server/app/testing/test-client.ts';
import { createTestService } from '#server/app/testing/test-service.ts';
import { idempotencyKeys } from '#server/platform/db/schema/schema.ts';
import { createScriptedEngine } from '#server/studio/generations/testing/scripted-engine.ts';
import type { TestOrganization } from '#server/studio/generations/testing/shared-service-fixture.ts';
import {
  createClient,
  createPicture,
  createPictureFile,
  OPENAI_PATH,
  openAiFixture,
  readError,
} from './testing/openai-fixture.ts';

const fixture = openAiFixture();
const { engine, openStudio, listGenerations } = fixture;

interface Attempt {
  retries?: number;
  key?: string;
  signal?: AbortSignal;
  url?: string;
}

/** What the official client sends, without its retries. */
async function send(studio: TestOrganization, path: string, body: unknown, attempt: Attempt = {}) {
  const isForm = body instanceof FormData;
  const response = await fetch(`${attempt.url ?? fixture.url}${OPENAI_PATH}${path}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${studio.key}`,
      'x-stainless-retry-count': String(attempt.retries ?? 0),
      ...(isForm ? {} : { 'content-type': 'application/json' }),
      ...(attempt.key === undefined ? {} : { 'idempotency-key': attempt.key }),
    },
    body: isForm ? body : JSON.stringify(body),
    ...(attempt.signal ? { signal: attempt.signal } : {}),
  });
  const id = response.headers.get('x-emulsion-generation-id');
  return { status: response.status, id, body: (await response.json()) as Record<string, unknown> };
}

const generate = (studio: TestOrganization, prompt: string, attempt?: Attempt, more: Record<string, unknown> = {}) =>
  send(studio, '/images/generations', { model: 'imgmodel-a-2', prompt, ...more }, attempt);

async function edit(studio: TestOrganization, attempt?: Attempt, color = 'red') {
  const form = new FormData();
  form.append('model', 'imgmodel-a-2');
  form.append('prompt', 'dusk');
  form.append('image', new Blob([await createPicture(color)], { type: 'image/png' }), 'a.png');
  return send(studio, '/images/edits', form, attempt);
}

describe('a retry', () => {
  it('joins the order of the attempt before it, also in another process', async () => {
    const { studio } = await openStudio();
    const app = await createApp(fixture.service.get().deps);
    const url = await app.listen({ port: 0, host: '127.0.0.1' });
    const first = await generate(studio, 'a pier');
    expect(await generate(studio, 'a pier', { retries: 1 })).toMatchObject({ status: 200, id: first.id });
    expect(await generate(studio, 'a pier', { retries: 2, url })).toMatchObject({ status: 200, id: first.id });
    const both = await generate(studio, 'a pier', {}, { n: 2 });
    expect(await generate(studio, 'a pier', { retries: 1, url }, { n: 2 })).toMatchObject({ id: both.id });
    expect(await listGenerations(studio)).toHaveLength(3);
    await app.close();
  });

  it('of another request, key or time is an order of its own', async () => {
    const { studio } = await openStudio();
    const { studio: other } = await openStudio();
    const first = await generate(studio, 'a pier');
    const ids = [
      first.id,
      (await generate(studio, 'a pier')).id,
      (await generate(studio, 'a boat', { retries: 1 })).id,
      (await generate(other, 'a pier', { retries: 1 })).id,
    ];
    fixture.service.get().deps.clock.advance(60 * 60_000);
    ids.push((await generate(studio, 'a pier', { retries: 2 })).id);
    expect(new Set(ids).size).toBe(5);
    expect(await listGenerations(studio)).toHaveLength(4);
  });

  it('joins an order that is still being placed, with files too', async () => {
    const { studio } = await openStudio();
    const [first, second] = await Promise.all([edit(studio), edit(studio, { retries: 1 })]);
    const generations = await listGenerations(studio);
    // Whichever came first; an attempt that still has its client is an order of its own then.
    expect([first.status, second.status]).toEqual([200, 200]);
    expect(generations.map(({ id }) => id)).toContain(second.id);
    expect(generations.length).toBeLessThanOrEqual(2);
    expect(await edit(studio, { retries: 1 })).toMatchObject({ status: 200, id: generations[0]?.id });
    expect((await edit(studio, { retries: 1 }, 'blue')).id).not.toBe(generations[0]?.id);
  });

  it('never joins what another key placed under a chosen Idempotency-Key', async () => {
    const { studio } = await openStudio();
    const { app, deps } = fixture.service.get();
    const { body: key } = await studio.call('create_api_key', { body: { name: 'Other', kind: 'member' } });
    const other = createTestClient(app, key.key);
    const first = await generate(studio, 'a pier');
    const [stored] = await deps.db
      .select()
      .from(idempotencyKeys)
      .where(eq(idempotencyKeys.organization_id, studio.organization_id));
    const [hash = ''] = stored?.key.split(':') ?? [];
    const [generation] = await listGenerations(studio);
    const owner = generation?.created_by.id ?? '';
    const names = ['000000', '000001', '00000f', '000000000', '000000001', '00000000f', '999999999'].flatMap(
      (index) => [
        `${hash}:${index}`,
        `openai:${owner}:${hash}:${index}`,
        `openai ${owner} POST /v1/generations ${hash}:${index}`,
      ],
    );
    const body = { task: 'image.create', model: 'imgmodel-a-2', input: { prompt: 'planted' } };
    for (const name of names) {
      const planted = await other.call('create_generation', { body, idempotency_key: name });
      expect(planted.status).toBe(201);
    }
    expect(await generate(studio, 'a pier', { retries: 1 })).toMatchObject({ status: 200, id: first.id });
    const second = await generate(studio, 'a pier');
    expect(second).toMatchObject({ status: 200 });
    expect(second.id).not.toBe(first.id);
    expect(await generate(studio, 'a pier', { retries: 1 })).toMatchObject({ status: 200, id: second.id });
    expect(await listGenerations(studio)).toHaveLength(2 + names.length);
  });

  it('is not one of two equal requests at the same time', async () => {
    const { studio } = await openStudio();
    const sent = await Promise.all(Array.from({ length: 4 }, () => generate(studio, 'a pier')));
    expect(new Set(sent.map(({ id }) => id)).size).toBe(4);
    const edited = await Promise.all(Array.from({ length: 3 }, () => edit(studio)));
    expect(new Set(edited.map(({ id }) => id)).size).toBe(3);
    expect(await listGenerations(studio)).toHaveLength(7);
  });
});

describe('a key', () => {
  it('holds a bounded number of waits, and orders nothing beyond them', async () => {
    const { client, studio } = await openStudio();
    const orders = Array.from({ length: 22 }, (_, at) =>
      client.images.generate({ model: 'imgmodel-a-2', prompt: `hang ${at}` }).catch((error: unknown) => error),
    );
    const first = await Promise.race(orders);
    expect(first).toMatchObject({ status: 429, type: 'rate_limit_error', code: 'rate_limit_exceeded' });
    await expect.poll(async () => (await listGenerations(studio)).length).toBe(20);
    await studio.call('cancel_generations', { body: { ids: (await listGenerations(studio)).map(({ id }) => id) } });
    await Promise.all(orders);
    expect(await listGenerations(studio)).toHaveLength(20);
  });
});

describe('an Idempotency-Key', () => {
  it('wins, for forms too, and is for one request', async () => {
    const { studio } = await openStudio();
    const first = await edit(studio, { key: 'one' });
    expect(await edit(studio, { key: 'one' })).toMatchObject({ status: 200, id: first.id });
    expect(await edit(studio, { key: 'one', retries: 1 })).toMatchObject({ id: first.id });
    expect(await edit(studio, { key: 'one' }, 'blue')).toMatchObject({
      status: 409,
      body: { error: { code: 'idempotency_conflict', type: 'invalid_request_error' } },
    });
    expect((await edit(studio, { key: 'two' })).id).not.toBe(first.id);
    expect(await listGenerations(studio)).toHaveLength(2);
  });
});

describe('a client', () => {
  it('that has gone neither cancels its order nor repeats it', async () => {
    const { studio } = await openStudio();
    const gone = new AbortController();
    const lost = generate(studio, 'wait for me', { signal: gone.signal }).catch(() => null);
    await expect.poll(async () => (await listGenerations(studio)).map(({ status }) => status)).toEqual(['running']);
    gone.abort();
    expect(await lost).toBeNull();
    await sleep(300);
    expect((await listGenerations(studio)).map(({ status }) => status)).toEqual(['running']);
  });

  it('with a short timeout gets the result of its one order', async () => {
    let attempts = 0;
    const countingFetch: typeof fetch = (...request) => {
      attempts += 1;
      return fetch(...request);
    };
    const { client, studio } = await openStudio('10.00', { maxRetries: 10, timeout: 700, fetch: countingFetch });
    const edited = client.images.edit({
      model: 'gpt-image-2',
      image: [await createPictureFile('red'), await createPictureFile('blue')],
      prompt: 'wait for it',
    });
    await expect.poll(async () => (await listGenerations(studio)).length).toBe(1);
    const placedBy = attempts;
    await expect.poll(() => attempts).toBeGreaterThan(placedBy);
    engine.unblock();
    expect((await edited).data).toHaveLength(1);
    const [generation, ...others] = await listGenerations(studio);
    expect(others).toEqual([]);
    expect(await fixture.workers.readLedgerEntries(generation?.id ?? '')).toEqual([
      'RELEASE 30000',
      'RESERVE -30000',
      'SETTLE -30000',
    ]);
  });

  it('that gives up has one order', async () => {
    const { client, studio } = await openStudio('10.00', { maxRetries: 1, timeout: 300 });
    const order = { model: 'imgmodel-a-2', prompt: 'hang', n: 2 };
    await expect(client.images.generate(order)).rejects.toThrow(APIConnectionTimeoutError);
    expect(await listGenerations(studio)).toHaveLength(2);
    await studio.call('cancel_generations', { body: { ids: (await listGenerations(studio)).map(({ id }) => id) } });
  });

  it('waits no longer when its order is canceled', async () => {
    const { client, studio } = await openStudio();
    const order = readError(client.images.generate({ model: 'imgmodel-a-2', prompt: 'hang' }));
    await expect.poll(async () => (await listGenerations(studio)).length).toBe(1);
    const ids = (await listGenerations(studio)).map(({ id }) => id);
    await studio.call('cancel_generations', { body: { ids } });
    expect(await order).toMatchObject({ status: 409, code: 'canceled' });
  });

  it('is told to try again when the service stops', async () => {
    const stopping = await createTestService({ engines: [createScriptedEngine()] });
    const client = createClient(await stopping.listen(), stopping.keys.member);
    const order = readError(client.images.generate({ model: 'imgmodel-a-2', prompt: 'a pier' }));
    await expect.poll(async () => (await stopping.call('list_generations')).body.data.length).toBe(1);
    const [generation] = (await stopping.call('list_generations')).body.data;
    const closing = stopping.close();
    const error = await order;
    expect(error).toMatchObject({ status: 503, type: 'server_error', code: 'service_unavailable' });
    expect(error.headers?.get('x-should-retry')).toBe('true');
    expect(error.headers?.get('x-emulsion-generation-id')).toBe(generation?.id);
    await closing;
  });
});
