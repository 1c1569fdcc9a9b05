import { eq } from 'drizzle-orm';
import sharp from 'sharp';
import { afterEach, beforeAll } from 'vitest';
import type { Derivatives } from '#contract/resources/media-derivatives.ts';
import { Upload, type UploadDetail } from '#contract/resources/upload.ts';
import { mediaDerivations } from '../../db/derivative-schema.ts';
import { uploads } from '../../db/schema.ts';
import type { SharedService, Studio } from '../../generations/testing/both-databases.ts';
import { waitFor } from '../../generations/testing/wait-for.ts';
import { formOf } from '../../uploads/testing/upload-bench.ts';
import type { Derivation } from '../claim-derivation.ts';
import { startDeriver } from '../deriver.ts';

/** What tests about small copies do with a service whose only worker makes such copies. */
export interface CopiesBench {
  start(): Promise<void>;
  /** Stops what runs; it is stopped after each test anyway. */
  stop(): Promise<void>;
  /** Nobody has it yet. */
  newPicture(width?: number): Promise<Buffer>;
  upload(studio: Studio, bytes: Buffer): Promise<Upload>;
  read(studio: Studio, upload_id: string): Promise<UploadDetail>;
  /** Once they are made. */
  copiesOf(studio: Studio, upload: Upload): Promise<Derivatives>;
  /** Follows a link. */
  get(link: string): Promise<{ statusCode: number; headers: Record<string, unknown>; rawPayload: Buffer }>;
  sourceOf(upload: Upload): Promise<string>;
  stateOf(upload: Upload): Promise<Derivation | undefined>;
  /** Once it is made or failed. */
  settled(upload: Upload): Promise<Derivation>;
  storedCopies(): Promise<string[]>;
}

const LONGEST_MS = 30_000;

export function createCopiesBench(shared: SharedService): CopiesBench {
  let url = '';
  let made = 0;
  const stops: (() => Promise<void>)[] = [];
  beforeAll(async () => {
    url = await shared.get().listen();
  });
  const bench: CopiesBench = {
    async start() {
      stops.push(await startDeriver(shared.get().deps, { alone: true }));
    },
    async stop() {
      for (const stop of stops.splice(0)) await stop();
    },
    newPicture: (width = 1_000) =>
      sharp({ create: { width, height: (made += 1), channels: 3, background: '#753' } })
        .png()
        .toBuffer(),
    async upload({ key }, bytes) {
      const headers = { authorization: `Bearer ${key}` };
      const response = await fetch(`${url}/v1/uploads`, { method: 'POST', body: formOf(bytes), headers });
      return Upload.parse(await response.json());
    },
    read: async (studio, upload_id) => (await studio.call('get_upload', { params: { upload_id } })).body,
    copiesOf: (studio, { id }) =>
      waitFor('small copies', async () => (await bench.read(studio, id)).derivatives, LONGEST_MS),
    get(link) {
      const { app, deps } = shared.get();
      return app.inject({ url: link.slice(deps.config.public_url.length) });
    },
    async sourceOf({ id }) {
      const [row] = await shared.get().deps.db.select().from(uploads).where(eq(uploads.id, id));
      return row?.storage_key ?? '';
    },
    async stateOf(upload) {
      const source_key = await bench.sourceOf(upload);
      const { db } = shared.get().deps;
      const [row] = await db.select().from(mediaDerivations).where(eq(mediaDerivations.source_key, source_key));
      return row;
    },
    settled: (upload) =>
      waitFor(
        'an end',
        async () => {
          const row = await bench.stateOf(upload);
          return row && row.state !== 'waiting' ? row : null;
        },
        LONGEST_MS,
      ),
    async storedCopies() {
      const keys: string[] = [];
      for await (const { key } of shared.get().deps.storage.list()) if (key.startsWith('derivatives/')) keys.push(key);
      return keys;
    },
  };
  afterEach(() => bench.stop());
  return bench;
}
