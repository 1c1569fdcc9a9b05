import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Upload } from '#contract/resources/upload.ts';
import { call, fetchBillingSummary, fetchGeneration, postGeneration, uploadFile } from '../support/api-client.ts';
import { startService } from '../support/service.ts';
import { measureClosing } from './closing.ts';
import { measureCreates } from './creates.ts';
import { measureBombs, measureDecoding } from './decoding.ts';
import { measureDeliveries } from './deliveries.ts';
import { measureCheckFlood } from './flood-checks.ts';
import { measureHolds } from './flood-holds.ts';
import { measureFloods } from './floods.ts';
import { measureGrowth } from './growth.ts';
import { measureLedger } from './ledger.ts';
import { measureLibrary } from './library.ts';
import { measurePainting } from './painting.ts';
import { load, median } from './load.ts';
import { inMs, perSecond, printCheck, printRow, printSlowestPage } from './report.ts';
import { measureResidentMemory } from './resident-memory.ts';
import { measureScrolling } from './scrolling.ts';
import { measureSigning } from './signing.ts';
import { simulate } from './simulation/simulation.ts';
import { startFloor } from './start-floor.ts';
import { measureUploads } from './uploads.ts';

// Prints figures of the service beside a floor measured in the same run; the ratio is what counts.

const requestBody = { task: 'image.create', model: 'imgmodel-a-2', input: { prompt: 'A lighthouse at dusk' } };
const unlimited = { PUBLIC_RATE_LIMIT_PER_MINUTE: '1000000', RATE_LIMIT_PER_MINUTE: '1000000' };

async function estimates(): Promise<void> {
  const service = await startService(unlimited);
  const floor = await startFloor();
  try {
    const bare = await load(`${floor.url}/echo`, { status: 200, body: requestBody });
    const estimate = await load(`${service.url}/v1/estimate`, { status: 200, body: requestBody });
    const ratio = estimate.requests_per_second / bare.requests_per_second;
    printRow(
      'estimate / bare route',
      perSecond(estimate.requests_per_second),
      perSecond(bare.requests_per_second),
      ratio,
    );
    printRow('  p99', inMs(estimate.p99_ms), inMs(bare.p99_ms), estimate.p99_ms / bare.p99_ms);
    printCheck('at most 10 ms', estimate.p99_ms <= 10);
  } finally {
    await floor.stop();
    await service.stop();
  }
}

/** Measures how fast queued jobs follow each other, beside polling alone, which gives one job a second and slot. */
async function burst(): Promise<void> {
  const count = 40;
  const slots = 2;
  const service = await startService({ ...unlimited, WORKER_CONCURRENCY: String(slots) });
  try {
    const began = performance.now();
    await Promise.all(Array.from({ length: count }, () => postGeneration(service, requestBody)));
    await pollUntil(
      () => fetchBillingSummary(service),
      ({ reserved_usd }) => reserved_usd === '0.00',
    );
    const tookMs = performance.now() - began;
    const polledMs = (count / slots) * 1_000;
    printRow(`${count} queued jobs / polling alone`, inMs(tookMs), inMs(polledMs), tookMs / polledMs);
  } finally {
    await service.stop();
  }
}

/** Polls as often as the dashboard does. More often would take the processor from the work. */
async function pollUntil<T>(read: () => Promise<T>, isDone: (result: T) => boolean): Promise<T> {
  for (;;) {
    const result = await read();
    if (isDone(result)) return result;
    await new Promise((resolve) => setTimeout(resolve, 1_000));
  }
}

async function trim(): Promise<void> {
  const dir = await mkdtemp(path.join(tmpdir(), 'emulsion-bench-'));
  const source = path.join(dir, 'source.mp4');
  const ffmpeg = (words: string, ...rest: string[]) =>
    execFileSync('ffmpeg', [...`-v error -y ${words}`.split(' '), ...rest]);
  const picture = 'testsrc2=size=1280x720:rate=30:duration=30';
  ffmpeg(
    `-f lavfi -i ${picture} -f lavfi -i sine=duration=30 -c:v libx264 -preset veryfast -c:a aac -shortest`,
    source,
  );
  const service = await startService(unlimited);
  try {
    const upload = await uploadFile(service, source);
    await pollUntil(
      () => call<Upload>(service, 'GET', `/v1/uploads/${upload.id}`),
      ({ derivatives }) => Boolean(derivatives),
    );
    const ours: number[] = [];
    const bare: number[] = [];
    for (let run = 0; run < 4; run += 1) {
      const began = performance.now();
      ffmpeg(
        `-noaccurate_seek -ss 5 -i ${source} -t 20 -vf fps=30:start_time=0 -c:v libx264 -preset veryfast -crf 18 ` +
          '-pix_fmt yuv420p -c:a aac -b:a 192k -threads 2 -movflags +faststart',
        path.join(dir, 'out.mp4'),
      );
      const bareMs = performance.now() - began;
      const { id } = await postGeneration(service, {
        task: 'video.trim',
        input: { video: { url: upload.url }, start_seconds: 5, end_seconds: 25 },
      });
      const read = () => fetchGeneration(service, id);
      const { status, created_at, completed_at } = await pollUntil(
        read,
        (generation) => generation.completed_at !== null,
      );
      if (status !== 'succeeded' || completed_at === null) throw new Error(`the trim is ${status}`);
      // Thumbnails are created after the run, and must not share the processor with the next one.
      await pollUntil(read, ({ output }) => output.assets.every(({ derivatives }) => derivatives));
      // The first run warms caches.
      if (run === 0) continue;
      bare.push(bareMs);
      ours.push(Date.parse(completed_at) - Date.parse(created_at));
    }
    printRow('trim, 20 s of 720p / bare ffmpeg', inMs(median(ours)), inMs(median(bare)), median(ours) / median(bare));
  } finally {
    await service.stop();
    await rm(dir, { recursive: true, force: true });
  }
}

async function startUp(): Promise<void> {
  const floors: number[] = [];
  const ours: number[] = [];
  for (let run = 0; run < 3; run += 1) {
    let began = performance.now();
    const floor = await startFloor();
    floors.push(performance.now() - began);
    await floor.stop();
    const service = await startService();
    await service.kill();
    began = performance.now();
    await service.restart();
    ours.push(performance.now() - began);
    await service.stop();
  }
  printRow(
    'start, with data / bare with PGlite',
    inMs(median(ours)),
    inMs(median(floors)),
    median(ours) / median(floors),
  );
}

async function webhooks(): Promise<void> {
  const { deliveriesPerSecond: ours, barePerSecond: bare, healthyP99Ms } = await measureDeliveries();
  printRow('webhook deliveries / bare client', perSecond(ours), perSecond(bare), bare / ours);
  printRow('p99 beside 50 that hang / promise', inMs(healthyP99Ms), inMs(2_000), healthyP99Ms / 2_000);
}

async function uploads(): Promise<void> {
  for (const { name, grownMib } of await measureUploads()) {
    printRow(`memory for 1 GB by ${name} / promise`, `${Math.round(grownMib)} MiB`, '64 MiB', grownMib / 64);
  }
}

/** Prints what hostile media cost in memory and in response time of the dashboard, beside the limits. */
async function decoding(): Promise<void> {
  for (const { name, refusedMs, grownMib } of await measureBombs()) {
    printRow(`refusal, ${name} / promise`, inMs(refusedMs), inMs(1_000), refusedMs / 1_000);
    printRow(`memory, ${name} / promise`, `${Math.round(grownMib)} MiB`, '100 MiB', grownMib / 100);
  }
  for (const { name, grownMib, promisedMib, pageP95Ms, linkP95Ms } of await measureDecoding()) {
    printRow(`memory, ${name} / promise`, `${Math.round(grownMib)} MiB`, `${promisedMib} MiB`, grownMib / promisedMib);
    printRow(`page p95, ${name} / promise`, inMs(pageP95Ms), inMs(1_000), pageP95Ms / 1_000);
    printRow(`media p95, ${name} / promise`, inMs(linkP95Ms), inMs(1_000), linkP95Ms / 1_000);
  }
}

async function floods(): Promise<void> {
  for (const { name, p95Ms, quietP95Ms, grownMib } of await measureFloods()) {
    printRow(`/v1/me p95, ${name}`, inMs(p95Ms), inMs(quietP95Ms), p95Ms / quietP95Ms);
    printCheck(`at most 5×`, p95Ms <= 5 * quietP95Ms);
    printRow(`memory, ${name}`, `${Math.round(grownMib)} MiB`, '300 MiB', grownMib / 300);
    printCheck(`at most 300 MiB`, grownMib <= 300);
  }
  const { quietMs, floodedMs } = await measureCheckFlood();
  printRow('generation beside slow public checks', inMs(floodedMs), inMs(quietMs), floodedMs / quietMs);
  printCheck('at most 1.5×', floodedMs <= 1.5 * quietMs);
  for (const { name, p95Ms, quietP95Ms, grownMib } of await measureHolds()) {
    printRow(`/v1/me p95, ${name}`, inMs(p95Ms), inMs(quietP95Ms), p95Ms / quietP95Ms);
    printCheck(`at most 250 ms`, p95Ms <= 250);
    printRow(`memory, ${name}`, `${Math.round(grownMib)} MiB`, '400 MiB', grownMib / 400);
    printCheck(`at most 400 MiB`, grownMib <= 400);
  }
}

/** Prints what content credentials cost in time and in memory of the decoding process. */
async function signing(): Promise<void> {
  for (const { name, firstMs, ms, floorMs, grownMib, promisedMib } of await measureSigning()) {
    printRow(`${name} / copy with SHA-256`, inMs(ms), inMs(floorMs), ms / floorMs);
    printRow('  first, with a new process', inMs(firstMs), inMs(floorMs), firstMs / floorMs);
    printRow('  memory / promise', `${Math.round(grownMib)} MiB`, `${promisedMib} MiB`, grownMib / promisedMib);
    printCheck(`under ${promisedMib} MB more than the idle process`, grownMib < promisedMib);
  }
}

/** Prints the share of frames that are dropped while a list of 10,000 pictures scrolls. */
async function scrolling(): Promise<void> {
  const percent = (share: number) => `${(share * 100).toFixed(2)} %`;
  for (const { name, ours, floor } of await measureScrolling()) {
    printRow(`dropped frames, ${name}`, percent(ours), percent(floor), floor === 0 ? 1 : ours / floor);
    printCheck('at most 1 % more', ours - floor <= 0.01);
  }
}

/** Prints the longest task while a mask is painted on 50 megapixels, on a processor four times slower. */
async function painting(): Promise<void> {
  const { oursMs, floorMs } = await measurePainting();
  printRow('longest task, painting at CPU 4×', inMs(oursMs), inMs(floorMs), oursMs / floorMs);
  printCheck('at most 100 ms', oursMs <= 100);
}

const BENCHMARKS: Readonly<Record<string, () => Promise<void>>> = {
  estimates,
  creates: measureCreates,
  burst,
  trim,
  webhooks,
  ledger: async () => printSlowestPage('ledger, 1M / 10k', await measureLedger()),
  library: async () => printSlowestPage('library, 100k / 10k', await measureLibrary()),
  growth: measureGrowth,
  closing: measureClosing,
  simulate,
  memory: measureResidentMemory,
  uploads,
  decoding,
  floods,
  signing,
  scrolling,
  painting,
  start: startUp,
};

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !Object.hasOwn(BENCHMARKS, name));
if (unknown.length > 0)
  throw new Error(`There is no ${unknown.join(', ')}. There are: ${Object.keys(BENCHMARKS).join(', ')}.`);
printRow('measured', 'service', 'floor', 1);
for (const [name, measure] of Object.entries(BENCHMARKS)) {
  if (wanted.length === 0 || wanted.includes(name)) await measure();
}
