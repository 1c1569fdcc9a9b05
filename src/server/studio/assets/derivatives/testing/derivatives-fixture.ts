import { eq } from 'drizzle-orm';
import sharp from 'sharp';
import { afterEach, beforeAll } from 'vitest';
import type { Derivatives } from '#contract/resources/media.ts';
import { Upload, type UploadDetail } from '#contract/resources/upload.ts';
import { derivativeJobs } from '#server/platform/db/schema/derivative-schema.ts';
import { uploads } from '#server/platform/db/schema/schema.ts';
import type { SharedService, TestOrganization } from '#server/studio/generations/testing/shared-service-fixture.ts';
import { waitFor } from '#server/studio/generations/testing/wait-for.ts';
import { createUploadForm } from '#server/studio/uploads/testing/upload-fixture.ts';
import type { DerivativeJob } from '#server/studio/assets/derivatives/claim-derivative-job.ts';
import { startDerivativeWorker } from '#server/studio/assets/derivatives/derivative-worker.ts';

/** A service whose only worker creates derivatives. */
export interface DerivativesFixture {
  start(): Promise<void>;
  /** Stops the worker early; it also stops after each test. */
  stop(): Promise<void>;
  createPicture(width?: number): Promise<Buffer>;
  upload(studio: TestOrganization, bytes: Buffer): Promise<Upload>;
  read(studio: TestOrganization, upload_id: string): Promise<UploadDetail>;
  waitForDerivatives(studio: TestOrganization, upload: Upload): Promise<Derivatives>;
  get(link: string): Promise<{ statusCode: number; headers: Record<string, unknown>; rawPayload: Buffer }>;
  findSourceKey(upload: Upload): Promise<string>;
  readJob(upload: Upload): Promise<DerivativeJob | undefined>;
  waitForCompletedJob(upload: Upload): Promise<DerivativeJob>;
  listStoredDerivatives(): Promise<string[]>;
}

export function useDerivativesFixture(shared: SharedService): DerivativesFixture {
  let url = '';
  let fileCount = 0;
  const stops: (() => Promise<void>)[] = [];
  beforeAll(async () => {
    url = await shared.get().listen();
  });
  const bench: DerivativesFixture = {
    async start() {
      stops.push(await startDerivativeWorker(shared.get().deps, { alone: true }));
    },
    async stop() {
      for (const stop of stops.splice(0)) await stop();
    },
    createPicture: (width = 1_000) =>
      sharp({ create: { width, height: (fileCount += 1), channels: 3, background: '#753' } })
        .png()
        .toBuffer(),
    async upload({ key }, bytes) {
      const headers = { authorization: `Bearer ${key}` };
      const response = await fetch(`${url}/v1/uploads`, { method: 'POST', body: createUploadForm(bytes), headers });
      return Upload.parse(await response.json());
    },
    read: async (studio, upload_id) => (await studio.call('get_upload', { params: { upload_id } })).body,
    waitForDerivatives: (studio, { id }) =>
      waitFor('derivatives', async () => (await bench.read(studio, id)).derivatives),
    get(link) {
      const { app, deps } = shared.get();
      return app.inject({ url: link.slice(deps.config.publicUrl.length) });
    },
    async findSourceKey({ id }) {
      const [row] = await shared.get().deps.db.select().from(uploads).where(eq(uploads.id, id));
      return row?.storage_key ?? '';
    },
    async readJob(upload) {
      const source_key = await bench.findSourceKey(upload);
      const { db } = shared.get().deps;
      const [row] = await db.select().from(derivativeJobs).where(eq(derivativeJobs.source_key, source_key));
      return row;
    },
    waitForCompletedJob: (upload) =>
      waitFor('an end', async () => {
        const row = await bench.readJob(upload);
        return row && row.state !== 'waiting' ? row : null;
      }),
    async listStoredDerivatives() {
      const keys: string[] = [];
      for await (const { key } of shared.get().deps.storage.list()) if (key.startsWith('derivatives/')) keys.push(key);
      return keys;
    },
  };
  afterEach(() => bench.stop());
  return bench;
}
