import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';
import type { Generation } from '#contract/resources/generation.ts';
import { createToolsEngine } from '#server/models/tools/tools-engine.ts';
import { createPreviewEngine } from '#server/models/preview/preview-engine.ts';
import { sharedMediaTools } from '#server/platform/media/testing/shared-media-tools.ts';
import { createTestSigner } from '#server/platform/media/testing/sign-fixture.ts';
import { useMediaFixture } from '#server/studio/generations/testing/media-fixture.ts';
import { createTestService, type TestService } from '#server/app/testing/test-service.ts';
import { startWorker, type Worker } from '#server/app/worker.ts';
import { waitFor } from '#server/studio/generations/testing/wait-for.ts';

/** A service with a worker, whose engines make real media and sign them. */
export function createSignedResults() {
  const media = useMediaFixture();
  let service: TestService;
  let worker: Worker;
  beforeAll(async () => {
    const tools = await sharedMediaTools();
    service = await createTestService({
      media: tools,
      engines: [createToolsEngine(tools), createPreviewEngine({ tools })],
      fetcher: media.fetcher,
      config: { rateLimitPerMinute: 100_000 },
    });
    worker = await startWorker(service.deps);
  });
  afterAll(async () => {
    await worker.stop();
    await service.close();
  });

  const upload = (file: string) => media.upload(service, service.organization_id, file);

  /** @returns the only output */
  async function make(body: Record<string, unknown>): Promise<Generation['output']['assets'][number]> {
    const { body: created } = await service.call('create_generation', { body });
    const { output, error } = await waitFor(`${String(body['task'])} to end`, async () => {
      const { body: now } = await service.call('get_generation', { params: { generation_id: created.id } });
      return now.completed_at === null ? null : now;
    });
    const [asset] = output.assets;
    if (!asset) throw new Error(`It has no output: ${error?.message}`);
    return asset;
  }
  const read = async ({ id }: { id: string }) =>
    (await service.call('get_media_credentials', { params: { media_id: id } })).body;

  let source: Promise<{ url: string }> | undefined;
  async function createSource() {
    const signer = await createTestSigner();
    const file = join(service.deps.config.mediaDir, 'signed.mp4');
    await writeFile(file, await signer.sign(await readFile(media.clip()), 'video/mp4'));
    const { url } = await upload(file);
    return make({ task: 'video.trim', input: { video: { url }, start_seconds: 0, end_seconds: 4 } });
  }

  return {
    media,
    upload,
    make,
    read,
    get service() {
      return service;
    },
    /** Runs work while results are made by another worker. */
    async withWorker(deps: TestService['deps'], work: () => Promise<void>): Promise<void> {
      await worker.stop();
      worker = await startWorker(deps);
      try {
        await work();
      } finally {
        await worker.stop();
        worker = await startWorker(service.deps);
      }
    },
    /** Makes a result of a clip that was trimmed from an upload with credentials of somebody else. */
    async expectHistory(task: string, options: object, action: string): Promise<void> {
      const { url } = await (source ??= createSource());
      const takesSound = task === 'video.add_audio' || task === 'video.lipsync';
      const audio = takesSound ? { audio: { url: (await upload(media.sound())).url } } : {};
      const model = task === 'video.lipsync' ? { model: 'lipsync-v3' } : {};
      const { report, record_matches } = await read(
        await make({ task, ...model, input: { video: { url }, ...audio, ...options } }),
      );
      // The added sound is nobody's AI.
      const ai = takesSound ? 'edited' : 'generated';
      expect([report.state, report.ai, record_matches]).toEqual(['valid', ai, true]);
      expect(report.steps[0]?.actions.map((each) => each.action)).toContain(action);
      expect(report.steps[0]?.ingredients[0]).toMatchObject({ relationship: 'parent', step: 1 });
      expect(report.steps.slice(1)).toMatchObject([
        { is_own: true, task: 'video.trim', ai: 'generated', ingredients: [{ relationship: 'parent', step: 2 }] },
        { is_own: false, generator: 'Test', ai: 'generated' },
      ]);
    },
  };
}
