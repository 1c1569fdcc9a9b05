import { afterAll, beforeAll, expect, it } from 'vitest';
import { createToolsEngine } from '#server/models/tools/tools-engine.ts';
import { resolveMediaTools } from '#server/platform/media/media-tools.ts';
import { createTestService, type TestService } from '#server/app/testing/test-service.ts';
import { createUploadForm, createPng } from '#server/studio/uploads/testing/upload-fixture.ts';
import { createScriptedEngine } from './testing/scripted-engine.ts';

let service: TestService;
beforeAll(async () => {
  const media = await resolveMediaTools({ ffmpegPath: '/nowhere' });
  service = await createTestService({ media, engines: [createToolsEngine(media), createScriptedEngine()] });
  await service.listen();
});
afterAll(() => service.close());

const SENTENCE = expect.stringMatching(/until the operator installs ffmpeg 5 or newer/);

it('lists video tasks as unavailable with the reason', async () => {
  const { data } = (await service.call('list_tasks', { key: null })).body;
  expect(data.filter(({ available }) => available).map(({ id }) => id)).toEqual([
    'image.create',
    'image.edit',
    'social.search',
  ]);
  const reasons = data.filter(({ available }) => !available).map(({ unavailable_reason }) => unavailable_reason);
  expect(reasons).toEqual(Array.from({ length: 9 }, () => SENTENCE));
});

it.each([
  ['video.trim', null],
  ['video.create', 'vidmodel-c-2-mini'],
])('rejects %s before funds are reserved', async (task, model) => {
  const before = (await service.call('get_billing_summary')).body.available_usd;
  const body = { task, model, input: {} };
  for (const endpoint of ['create_estimate', 'create_generation'] as const) {
    const { status, error } = await service.callError(endpoint, { body });
    expect([status, error.code, error.message]).toEqual([400, 'task_unavailable', SENTENCE]);
  }
  expect((await service.call('get_billing_summary')).body.available_usd).toBe(before);
});

it('accepts images and rejects video and audio with a message', async () => {
  const send = async (bytes: Uint8Array) => {
    const { port } = service.app.server.address() as { port: number };
    const headers = { authorization: `Bearer ${service.keys.organization}` };
    const url = `http://127.0.0.1:${port}/v1/uploads`;
    const response = await fetch(url, { method: 'POST', headers, body: createUploadForm(bytes) });
    return { status: response.status, body: (await response.json()) as unknown };
  };
  expect((await send(await createPng(20, 10, '#456'))).status).toBe(201);
  const wav = Buffer.alloc(44 + 8_000);
  wav.write('RIFF');
  wav.writeUInt32LE(wav.length - 8, 4);
  wav.write('WAVEfmt ', 8);
  wav.writeUInt32LE(16, 16);
  for (const [value, at] of [
    [1, 20],
    [1, 22],
    [1, 32],
    [8, 34],
  ] as const)
    wav.writeUInt16LE(value, at);
  for (const at of [24, 28]) wav.writeUInt32LE(8_000, at);
  wav.write('data', 36);
  wav.writeUInt32LE(8_000, 40);
  expect(await send(wav)).toEqual({
    status: 400,
    body: { error: expect.objectContaining({ code: 'invalid_media_upload', message: SENTENCE }) },
  });
});
