import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { createAnimationBomb, createPngBomb } from '#server/platform/media/testing/image-bomb-fixture.ts';
import type { Upload } from '#contract/resources/upload.ts';
import { type Service, startService } from '../support/service.ts';
import { memoryGrowth, servicePid } from './memory.ts';

export interface DecodingCost {
  name: string;
  grownMib: number;
  promisedMib: number;
  pageP95Ms: number;
  linkP95Ms: number;
}

export interface BombCost {
  name: string;
  refusedMs: number;
  grownMib: number;
}

const PROBE_INTERVAL_MS = 100;

/** Measures how long the service takes to reject small files that decode to very large ones, and how much memory. */
export async function measureBombs(): Promise<BombCost[]> {
  const service = await startService();
  try {
    // The first file starts the process that reads images.
    await sendUpload(service, await flatAvif(64), [201]);
    await waitUntilIdle(service);
    const bombs = {
      'PNG of 256 MP': createPngBomb(16_000),
      'animation of 800 MP': await createAnimationBomb(4_000, 50),
    };
    const measured: BombCost[] = [];
    for (const [name, file] of Object.entries(bombs)) {
      let refusedMs = 0;
      const refuse = async () => {
        const began = performance.now();
        await sendUpload(service, file, [400]);
        refusedMs = performance.now() - began;
      };
      const grownMib = await memoryGrowth(await servicePid(), refuse, { withChildren: true });
      measured.push({ name, refusedMs, grownMib });
    }
    return measured;
  } finally {
    await service.stop();
  }
}

/** Measures what hostile images and videos cost that arrive all at once, until their thumbnails are done. */
export async function measureDecoding(): Promise<DecodingCost[]> {
  const dir = await mkdtemp(path.join(tmpdir(), 'emulsion-bench-'));
  const service = await startService({ RATE_LIMIT_PER_MINUTE: '1000000', PUBLIC_RATE_LIMIT_PER_MINUTE: '1000000' });
  try {
    const floods = [
      { name: '24 AVIF of 49 MP', promisedMib: 300, files: copies(24, await flatAvif(7_000)), expected: [201, 400] },
      // The largest of its kind that is accepted.
      { name: '24 AVIF of 12 MP', promisedMib: 384, files: copies(24, await flatAvif(3_464)), expected: [201] },
      {
        name: '8 videos of 36 MP',
        promisedMib: 300,
        files: copies(8, await makeVideo(path.join(dir, 'clip.mp4'))),
        expected: [201],
      },
    ];
    const { url: link } = await sendUpload(service, await flatAvif(64), [201]);
    await waitUntilIdle(service);
    const measured: DecodingCost[] = [];
    for (const { name, promisedMib, files, expected } of floods) {
      const watching = watchLatency(service, link ?? '');
      const flood = async () => {
        await Promise.all(files.map((file) => sendUpload(service, file, expected)));
        await waitUntilIdle(service);
      };
      const grownMib = await memoryGrowth(await servicePid(), flood, { withChildren: true });
      measured.push({ name, grownMib, promisedMib, ...(await watching.stop()) });
    }
    return measured;
  } finally {
    await service.stop();
    await rm(dir, { recursive: true });
  }
}

const flatAvif = (side: number): Promise<Buffer> =>
  sharp({ create: { width: side, height: side, channels: 3, background: '#357' } })
    .avif({ effort: 0 })
    .toBuffer();

async function makeVideo(file: string): Promise<Buffer> {
  const words = '-v error -y -f lavfi -i color=c=blue:s=5984x5984:r=25:d=2 -c:v libx264 -preset ultrafast';
  execFileSync('ffmpeg', [...words.split(' '), file]);
  return readFile(file);
}

/** Decoders see the same file, but each copy is different: it ends with a box that readers skip. */
const copies = (count: number, bytes: Buffer): Buffer[] =>
  Array.from({ length: count }, (_, index) => {
    const box = Buffer.alloc(12);
    box.writeUInt32BE(box.length);
    box.write('free', 4, 'latin1');
    box.writeUInt32BE(index, 8);
    return Buffer.concat([bytes, box]);
  });

async function sendUpload(service: Service, file: Buffer, expected: readonly number[]): Promise<Partial<Upload>> {
  const form = new FormData();
  form.set('file', new Blob([new Uint8Array(file)]), 'file');
  const headers = { authorization: `Bearer ${service.key}` };
  const response = await fetch(`${service.url}/v1/uploads`, { method: 'POST', body: form, headers });
  const text = await response.text();
  if (!expected.includes(response.status)) throw new Error(`An upload was answered ${response.status}: ${text}`);
  return JSON.parse(text) as Partial<Upload>;
}

async function waitUntilIdle(service: Service): Promise<void> {
  for (;;) {
    const headers = { authorization: `Bearer ${service.key}` };
    const response = await fetch(`${service.url}/v1/uploads?limit=200`, { headers });
    const { data } = (await response.json()) as { data: Upload[] };
    if (data.every(({ derivatives }) => derivatives)) return;
    await new Promise((resolve) => setTimeout(resolve, 1_000));
  }
}

/** Requests the dashboard and a media link again and again, and records the response times. */
function watchLatency(service: Service, link: string) {
  const pageMs: number[] = [];
  const linkMs: number[] = [];
  const stopped = new AbortController();
  const look = async (url: string, taken: number[]): Promise<void> => {
    while (!stopped.signal.aborted) {
      const began = performance.now();
      const response = await fetch(url);
      await response.arrayBuffer();
      if (!response.ok) throw new Error(`${new URL(url).pathname} answered ${response.status}`);
      taken.push(performance.now() - began);
      await new Promise((resolve) => setTimeout(resolve, PROBE_INTERVAL_MS));
    }
  };
  const looking = Promise.all([look(`${service.url}/`, pageMs), look(link, linkMs)]);
  // Where the flood fails, the service ends during these requests; the flood's error is the one to report.
  looking.catch(() => undefined);
  return {
    async stop() {
      stopped.abort();
      await looking;
      return { pageP95Ms: p95(pageMs), linkP95Ms: p95(linkMs) };
    },
  };
}

const p95 = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.ceil(values.length * 0.95) - 1] ?? 0;
