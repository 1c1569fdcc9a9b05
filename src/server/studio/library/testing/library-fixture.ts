import { readFile } from 'node:fs/promises';
import { type MediaItem } from '#contract/resources/media.ts';
import type { Generation } from '#contract/resources/generation.ts';
import type { Upload } from '#contract/resources/upload.ts';
import type { SharedService, TestOrganization } from '#server/studio/generations/testing/shared-service-fixture.ts';
import type { MediaFixture } from '#server/studio/generations/testing/media-fixture.ts';
import { runGeneration } from '#server/studio/generations/run-generation.ts';

export interface LibraryFixture {
  upload(studio: TestOrganization, filename: string, file?: string): Promise<Upload>;
  /** A picture by default. */
  createGeneration(
    studio: TestOrganization,
    prompt: string,
    more?: { task?: string; model?: string; input?: object },
  ): Promise<Generation>;
  generate(...order: Parameters<LibraryFixture['createGeneration']>): Promise<Generation>;
  run(studio: TestOrganization, generation_id: string): Promise<Generation>;
  list(studio: TestOrganization, query?: Record<string, string | number>): Promise<string[]>;
  read(studio: TestOrganization, media_id: string): Promise<MediaItem>;
}

export function createLibraryFixture(service: SharedService, media: MediaFixture): LibraryFixture {
  const bench: LibraryFixture = {
    async upload({ key }, filename, file = media.picture()) {
      const head = `--x\r\nContent-Disposition: form-data; name="file"; filename="${filename}"\r\n\r\n`;
      const { statusCode, body } = await service.get().app.inject({
        method: 'POST',
        url: '/v1/uploads',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'multipart/form-data; boundary=x' },
        payload: Buffer.concat([Buffer.from(head), await readFile(file), Buffer.from('\r\n--x--\r\n')]),
      });
      if (statusCode !== 201) throw new Error(`${statusCode} ${body}`);
      return JSON.parse(body) as Upload;
    },
    async createGeneration(studio, prompt, { task = 'image.create', model = 'imgmodel-a-2', input = {} } = {}) {
      const body = { task, model, input: { prompt, ...input } };
      return (await studio.call('create_generation', { body })).body;
    },
    async generate(studio, ...order) {
      return bench.run(studio, (await bench.createGeneration(studio, ...order)).id);
    },
    async run(studio, generation_id) {
      await runGeneration(service.get().deps, generation_id, { shutdown: new AbortController().signal });
      return (await studio.call('get_generation', { params: { generation_id } })).body;
    },
    async list(studio, query = {}) {
      return (await studio.call('list_media', { query })).body.data.map(({ id }) => id);
    },
    read: async (studio, media_id) => (await studio.call('get_media', { params: { media_id } })).body,
  };
  return bench;
}
