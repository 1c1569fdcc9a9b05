import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { appendFile, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import sharp from 'sharp';
import { createTestService, type TestService } from '#server/app/testing/test-service.ts';
import { inspectFile } from '#server/platform/media/credentials/inspect-file.ts';
import { type SignedFile, signFile } from '#server/platform/media/credentials/sign-file.ts';
import { median } from './load.ts';
import { findChild, type PeakMemory, watchPeak } from './memory.ts';

export interface SigningCost {
  name: string;
  promisedMib: number;
  /** With a process that has done nothing yet. */
  firstMs: number;
  ms: number;
  floorMs: number;
  grownMib: number;
}

const MB = 1_000_000;
const RUNS = 3;
const SIGNING_MIB = 300;
const INSPECTION_MIB = 512;

interface Bench {
  service: TestService;
  dir: string;
}
interface Case {
  file: string;
  work: (file: string) => Promise<unknown>;
  turn: 'signing' | 'checks';
}

/** Measures what content credentials cost, each file with a new process, beside a copy through SHA-256. */
export async function measureSigning(): Promise<SigningCost[]> {
  const service = await createTestService();
  const dir = await mkdtemp(path.join(tmpdir(), 'emulsion-bench-'));
  try {
    const bench = { service, dir };
    const files = await createFiles(dir);
    const measured: SigningCost[] = [];
    for (const { name, file, mime_type } of files) {
      const work = (copy: string) => sign(bench, copy, mime_type);
      measured.push({
        name: `sign, ${name}`,
        promisedMib: SIGNING_MIB,
        ...(await measure(bench, { file, work, turn: 'signing' })),
      });
    }
    const file = await createVideo(dir, 95 * MB);
    await sign(bench, file, 'video/mp4');
    const work = (copy: string) => inspect(bench, copy);
    measured.push({
      name: 'inspect, MP4 of 95 MB',
      promisedMib: INSPECTION_MIB,
      ...(await measure(bench, { file, work, turn: 'checks' })),
    });
    return measured;
  } finally {
    for (const { process } of Object.values(service.deps.media.credentials)) process.stopIfIdle();
    await service.close();
    await rm(dir, { recursive: true });
  }
}

async function measure(bench: Bench, { file, work, turn }: Case): Promise<Omit<SigningCost, 'name' | 'promisedMib'>> {
  const { peak, pid } = await startIdle(bench, turn);
  const times: number[] = [];
  const floors: number[] = [];
  const copy = path.join(bench.dir, 'copy');
  for (let run = 0; run <= RUNS; run += 1) {
    floors.push(await timed(() => copyThroughHash(file, copy)));
    times.push(await timed(() => work(copy)));
  }
  if ((await findChild('credential-worker')) !== pid) throw new Error('The process was replaced: it failed.');
  const [firstMs = 0, ...laterMs] = times;
  return { firstMs, ms: median(laterMs), floorMs: median(floors.slice(1)), grownMib: await peak.grownMib() };
}

/** A process that has read one small image. */
async function startIdle(bench: Bench, turn: Case['turn']): Promise<{ peak: PeakMemory; pid: string }> {
  const { media, signing } = bench.service.deps;
  for (const { process } of Object.values(media.credentials)) process.stopIfIdle();
  while ((await findChild('credential-worker')) !== undefined) await new Promise((resolve) => setTimeout(resolve, 50));
  const file = path.join(bench.dir, 'idle.png');
  await sharp({ create: { width: 8, height: 8, channels: 3, background: '#357' } }).toFile(file);
  if (turn === 'signing') await sign(bench, file, 'image/png');
  else await inspectFile(media, { file, mime_type: 'image/png' }, await signing.trust());
  const pid = await findChild('credential-worker');
  if (pid === undefined) throw new Error('The process was not found.');
  return { peak: await watchPeak(pid), pid };
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

const copyThroughHash = async (file: string, copy: string): Promise<void> => {
  const hash = createHash('sha256');
  await pipeline(
    createReadStream(file),
    async function* (pieces: AsyncIterable<Buffer>) {
      for await (const piece of pieces) {
        hash.update(piece);
        yield piece;
      }
    },
    createWriteStream(copy),
  );
  hash.digest();
};

const SOURCE_TYPE = 'http://cv.iptc.org/newscodes/digitalsourcetype/trainedAlgorithmicMedia';

async function sign({ service: { deps } }: Bench, file: string, mime_type: string): Promise<void> {
  const { media: tools, signing } = deps;
  const statement = {
    title: 'A result',
    actions: [{ action: 'c2pa.created', digitalSourceType: SOURCE_TYPE }],
    assertions: {},
  };
  const signed: SignedFile = {
    file,
    mime_type,
    size_bytes: (await stat(file)).size,
    statement,
    ingredients: [],
    thumbnail: null,
  };
  await signFile({ tools, signer: await signing.signer(), trust: await signing.trust(), options: {} }, signed);
}

async function inspect({ service: { deps } }: Bench, file: string): Promise<void> {
  const { report } = await inspectFile(deps.media, { file, mime_type: 'video/mp4' }, await deps.signing.trust());
  if (report.state !== 'valid') throw new Error(`The signed file is ${report.state}: ${report.problem}`);
}

async function createFiles(dir: string): Promise<{ name: string; file: string; mime_type: string }[]> {
  const picture = path.join(dir, 'picture.png');
  const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const;
  await sharp({ create: { width: 1_000, height: 1_000, channels: 3, noise, background: '#000' } }).toFile(picture);
  const sound = path.join(dir, 'sound.wav');
  runFfmpeg('-f lavfi -i sine=d=156:sample_rate=48000 -ac 2 -c:a pcm_s16le', sound);
  return [
    { name: 'PNG of 3 MB', file: picture, mime_type: 'image/png' },
    { name: 'WAV of 30 MB', file: sound, mime_type: 'audio/wav' },
    { name: 'MP4 of 300 MB', file: await createVideo(dir, 300 * MB), mime_type: 'video/mp4' },
    { name: 'WebM of 300 MB', file: await createWebm(dir, 300 * MB), mime_type: 'video/webm' },
  ];
}

const runFfmpeg = (words: string, file: string) => execFileSync('ffmpeg', [...`-v error -y ${words}`.split(' '), file]);
const PICTURE = '-f lavfi -i testsrc2=size=320x180:rate=10:duration=2';

/** With media that no track refers to. */
async function createVideo(dir: string, size_bytes: number): Promise<string> {
  const file = path.join(dir, `video-${size_bytes}.mp4`);
  runFfmpeg(`${PICTURE} -c:v libx264 -preset ultrafast`, file);
  const head = Buffer.alloc(8);
  head.writeUInt32BE(size_bytes);
  head.write('mdat', 4, 'latin1');
  await appendZeros(file, head, size_bytes - head.length);
  return file;
}

/** With space that readers skip. */
async function createWebm(dir: string, size_bytes: number): Promise<string> {
  const file = path.join(dir, 'video.webm');
  runFfmpeg(`${PICTURE} -c:v libvpx`, file);
  const head = Buffer.alloc(9);
  head.writeBigUInt64BE(BigInt(size_bytes) + (1n << 56n), 1);
  head.writeUInt8(0xec);
  await appendZeros(file, head, size_bytes);
  return file;
}

async function appendZeros(file: string, head: Buffer, count: number): Promise<void> {
  await appendFile(file, head);
  for (let left = count; left > 0; left -= MB) await appendFile(file, Buffer.alloc(Math.min(MB, left)));
}
