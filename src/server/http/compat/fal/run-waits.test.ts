import { eq } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { generations } from '#server/platform/db/schema/schema.ts';
import { createTestService } from '#server/app/testing/test-service.ts';
import { createScriptedEngine } from '#server/studio/generations/testing/scripted-engine.ts';

const WAITS_PER_KEY = 20;
const PATH = 'fal-ai/nano-banana-2';

it('is in progress while a person reviews the result', async () => {
  const { app, deps, keys, close } = await createTestService({ engines: [createScriptedEngine()] });
  const headers = { authorization: `Key ${keys.organization}` };
  const submitted = await app.inject({
    method: 'POST',
    url: `/compat/fal/queue/${PATH}`,
    headers,
    payload: { prompt: 'x' },
  });
  const { request_id } = submitted.json<{ request_id: string }>();
  await deps.db.update(generations).set({ status: 'manual_review' }).where(eq(generations.id, request_id));
  const url = `/compat/fal/queue/${PATH}/requests/${request_id}`;
  const status = await app.inject({ url: `${url}/status?logs=1`, headers });
  expect(status.json()).toMatchObject({
    status: 'IN_PROGRESS',
    logs: [{ message: expect.stringContaining('review') }],
  });
  expect((await app.inject({ url, headers })).statusCode).toBe(400);
  await close();
});

it('ends waits at shutdown, and too many of them, without a status that orders again', async () => {
  const service = await createTestService({ engines: [createScriptedEngine()] });
  const url = await service.listen();
  const run = async (prompt: string) => {
    const { status, headers } = await fetch(`${url}/compat/fal/run/${PATH}`, {
      method: 'POST',
      headers: { authorization: `Key ${service.keys.organization}`, 'content-type': 'application/json' },
      body: JSON.stringify({ prompt }),
    });
    return { status, timeout: headers.get('x-fal-request-timeout-type'), id: headers.get('x-fal-request-id') };
  };
  const open = { status: 504, timeout: 'user', id: expect.stringMatching(/^gen_/) as string };
  const waits = Array.from({ length: WAITS_PER_KEY + 1 }, (_, index) => run(`boat ${index}`));
  expect(await Promise.race(waits)).toEqual(open);
  await service.close();
  for (const result of await Promise.all(waits)) expect(result).toEqual(open);
});
