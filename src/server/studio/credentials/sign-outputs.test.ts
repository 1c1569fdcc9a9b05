import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Generation } from '#contract/resources/generation.ts';
import { createToolsEngine } from '#server/models/tools/tools-engine.ts';
import { createPreviewEngine } from '#server/models/preview/preview-engine.ts';
import { assetCredentials } from '#server/platform/db/credential-schema.ts';
import { resolveMediaTools } from '#server/platform/media/media-tools.ts';
import { createTestSigner } from '#server/platform/media/testing/sign-fixture.ts';
import { useMediaFixture } from '#server/studio/generations/testing/media-fixture.ts';
import { startWorker, type Worker } from '#server/app/worker.ts';
import { createTestService, type TestService } from '#server/app/testing/test-service.ts';
import { waitFor } from '#server/studio/generations/testing/wait-for.ts';

const fixture = useMediaFixture();
let service: TestService;
let worker: Worker;
beforeAll(async () => {
  const media = await resolveMediaTools();
  const engines = [createToolsEngine(media), createPreviewEngine({ tools: media })];
  service = await createTestService({
    media,
    engines,
    fetcher: fixture.fetcher,
    config: { rateLimitPerMinute: 100_000 },
  });
  worker = await startWorker(service.deps);
});
afterAll(async () => {
  await worker.stop();
  await service.close();
});

async function make(body: Record<string, unknown>): Promise<Generation> {
  const { body: created } = await service.call('create_generation', { body });
  return waitFor(`${String(body['task'])} to end`, async () => {
    const { body: now } = await service.call('get_generation', { params: { generation_id: created.id } });
    return now.completed_at === null ? null : now;
  });
}
const only = ({ output, error }: Generation) => {
  const [asset] = output.assets;
  if (!asset) throw new Error(`It has no output: ${error?.message}`);
  return asset;
};
const read = async ({ id }: { id: string }) =>
  (await service.call('get_media_credentials', { params: { media_id: id } })).body;

/** Trimmed from an upload with credentials of somebody else. */
let source: Promise<{ url: string }> | undefined;
async function createSource() {
  const signer = await createTestSigner();
  const file = join(service.deps.config.mediaDir, 'signed.mp4');
  await writeFile(file, await signer.sign(await readFile(fixture.clip()), 'video/mp4'));
  const { url } = await fixture.upload(service, service.organization_id, file);
  return only(await make({ task: 'video.trim', input: { video: { url }, start_seconds: 0, end_seconds: 4 } }));
}
const signedSource = () => (source ??= createSource());

const VALID = { state: 'valid', problem: null };

describe('results', { timeout: 180_000 }, () => {
  it('of the preview are signed as made by an algorithm', async () => {
    const picture = only(await make({ task: 'image.create', model: 'imgmodel-a-2', input: { prompt: 'a red fox' } }));
    const credentials = await read(picture);
    expect(credentials).toMatchObject({ place: 'embedded', sidecar_url: null, record_matches: true });
    const { report } = credentials;
    expect(report).toMatchObject({ ...VALID, ai: null });
    expect(report.steps).toMatchObject([
      {
        is_own: true,
        title: `${picture.id}.png`,
        task: 'image.create',
        model: 'imgmodel-a-2',
        provider: null,
        prompt: null,
        actions: [{ action: 'c2pa.created', software: 'Emulsion preview', source_type: 'algorithmicMedia' }],
        ingredients: [],
      },
    ]);
    expect(report.steps[0]?.thumbnail).toMatch(/^data:image\/webp;base64,/);
    expect(JSON.stringify(report)).not.toMatch(/red fox|usd|Member|key_/);
  });

  it('state the prompt where the organization wants that', async () => {
    await service.call('update_settings', { body: { prompt_in_credentials: true } });
    const picture = only(await make({ task: 'image.create', model: 'imgmodel-a-2', input: { prompt: 'a blue fox' } }));
    await service.call('update_settings', { body: { prompt_in_credentials: false } });
    expect((await read(picture)).report.steps[0]?.prompt).toBe('a blue fox');
  });

  it('of tools keep the history of three steps, and claim no AI', async () => {
    const { url } = await fixture.upload(service, service.organization_id, fixture.clip());
    const trimmed = only(
      await make({ task: 'video.trim', input: { video: { url }, start_seconds: 0, end_seconds: 3 } }),
    );
    const joined = only(await make({ task: 'video.concat', input: { videos: [{ url: trimmed.url }, { url }] } }));
    const frame = only(
      await make({ task: 'video.extract_frame', input: { video: { url: joined.url }, timestamp_seconds: 1 } }),
    );
    const { report, record_matches } = await read(frame);
    expect([report.state, report.ai, record_matches]).toEqual(['valid', null, true]);
    expect(report.steps.map(({ title, is_own }) => [title?.split('.')[0], is_own])).toEqual([
      [frame.id, true],
      [joined.id, true],
      [trimmed.id, true],
    ]);
    expect(report.steps.map(({ actions }) => actions.map(({ action }) => action))).toEqual([
      ['c2pa.opened', 'c2pa.converted'],
      ['c2pa.created', 'c2pa.placed', 'c2pa.placed'],
      ['c2pa.opened', 'c2pa.trimmed'],
    ]);
    expect(
      report.steps.map(({ ingredients }) => ingredients.map(({ step, relationship }) => [relationship, step])),
    ).toEqual([
      [['parent', 1]],
      [
        ['part', 2],
        ['part', null],
      ],
      [['parent', null]],
    ]);
  });

  it.each([
    ['video.trim', { start_seconds: 0, end_seconds: 2 }, 'c2pa.trimmed'],
    ['video.split_scenes', { threshold: 20, minimum_scene_length_seconds: 0 }, 'c2pa.trimmed'],
    ['video.extract_frame', { timestamp_seconds: 1, format: 'jpg' }, 'c2pa.converted'],
    ['video.extract_frame', { timestamp_seconds: 1, format: 'webp' }, 'c2pa.converted'],
    ['video.extract_audio', { format: 'mp3' }, 'c2pa.converted'],
    ['video.extract_audio', { format: 'wav' }, 'c2pa.converted'],
    ['video.extract_audio', { format: 'aac' }, 'c2pa.converted'],
    ['video.add_audio', { mode: 'replace' }, 'c2pa.dubbed'],
    ['video.lipsync', {}, 'c2pa.dubbed'],
  ])('of %s %o keep the history of their source', async (task, options, action) => {
    const { url } = await signedSource();
    const sound = await fixture.upload(service, service.organization_id, fixture.sound());
    const audio = task === 'video.add_audio' || task === 'video.lipsync' ? { audio: { url: sound.url } } : {};
    const model = task === 'video.lipsync' ? { model: 'lipsync-v3' } : {};
    const result = only(await make({ task, ...model, input: { video: { url }, ...audio, ...options } }));
    const { report, record_matches } = await read(result);
    // The added sound is nobody's AI.
    const ai = 'audio' in audio ? 'edited' : 'generated';
    expect([report.state, report.ai, record_matches]).toEqual(['valid', ai, true]);
    expect(report.steps[0]?.actions.map((each) => each.action)).toContain(action);
    expect(report.steps[0]?.ingredients[0]).toMatchObject({ relationship: 'parent', step: 1 });
    expect(report.steps.slice(1)).toMatchObject([
      { is_own: true, task: 'video.trim', ai: 'generated', ingredients: [{ relationship: 'parent', step: 2 }] },
      { is_own: false, generator: 'Test', ai: 'generated' },
    ]);
  });

  it('that were changed after they were signed are found', async () => {
    const picture = only(await make({ task: 'image.create', model: 'imgmodel-a-2', input: { prompt: 'a hill' } }));
    const file = join(service.deps.config.mediaDir, 'media', 'objects', 'outputs', `${picture.id}.png`);
    const bytes = await readFile(file);
    bytes[bytes.length - 200] = (bytes[bytes.length - 200] ?? 0) ^ 1;
    await writeFile(file, bytes);
    expect((await read(picture)).report).toMatchObject({ state: 'changed' });
  });

  it('are stored when they can’t be signed', async () => {
    const { deps } = service;
    const signer = () => Promise.reject(new Error('The key is lost.'));
    const broken = await startWorker({ ...deps, signing: { ...deps.signing, signer } });
    await worker.stop();
    try {
      const picture = only(await make({ task: 'image.create', model: 'imgmodel-a-2', input: { prompt: 'a lake' } }));
      const [row] = await deps.db.select().from(assetCredentials).where(eq(assetCredentials.asset_id, picture.id));
      expect(row).toMatchObject({ place: 'none', sidecar: null });
      expect((await read(picture)).report).toMatchObject({ state: 'none', steps: [] });
    } finally {
      await broken.stop();
      worker = await startWorker(deps);
    }
  });
});
