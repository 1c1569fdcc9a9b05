import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createJobProcess } from './job-process.ts';
import { type MediaTools, resolveMediaTools } from './media-tools.ts';
import { createPictureProcess } from './picture-process.ts';
import { type PictureJob, PictureResponse } from './picture-protocol.ts';
import { probeFile } from './probe-file.ts';
import { savePixels, shrinkImage } from './picture-jobs.ts';
import { createAvifBomb } from './testing/image-bomb-fixture.ts';

let tools: MediaTools;
let folder: string;
let photo: string;
beforeAll(async () => {
  tools = await resolveMediaTools();
  folder = await mkdtemp(path.join(tmpdir(), 'pictures-'));
  photo = path.join(folder, 'photo.jpg');
  await sharp({ create: { width: 300, height: 200, channels: 3, background: '#d01414' } })
    .jpeg()
    .toFile(photo);
});
afterAll(() => rm(folder, { recursive: true }));

const LONG = { timeoutMs: 240_000 };
const header = () => ({ kind: 'header', file: photo }) as const;
const scripted = (script: string) =>
  createJobProcess<PictureJob, PictureResponse>({
    command: [
      process.execPath,
      '-e',
      `const say = (it) => console.log(JSON.stringify(it)); say('ready');
       require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => { ${script} });`,
    ],
    response: PictureResponse,
    memoryBytes: null,
    messages: { timeout: 'late', exited: 'gone' },
  });
const size = { width: 1, height: 1 };

it('decodes untrusted images in a separate process', async () => {
  let decodedHere = 0;
  const count = (): void => void (decodedHere += 1);
  sharp.queue.on('change', count);
  try {
    expect(await probeFile(tools, photo)).toMatchObject({ width: 300, height: 200 });
    await shrinkImage(tools, photo, { file: path.join(folder, 'small.webp'), width: 100 });
    const shape = { width: 3, height: 2, fit: 'cover', quarters: 2 } as const;
    const file = path.join(folder, 'photo.rgba');
    expect(await savePixels(tools, photo, { file, encoding: 'raw', shape }, {})).toEqual({ width: 3, height: 2 });
    const rgba = await readFile(file);
    expect(rgba.length).toBe(24);
    expect(rgba[0]).toBeGreaterThan(150);
    expect(decodedHere).toBe(0);
  } finally {
    sharp.queue.off('change', count);
  }
});

it('rejects images by their decoder memory before decoding', async () => {
  const file = path.join(folder, 'bomb.avif');
  await writeFile(file, createAvifBomb());
  await expect(probeFile(tools, file)).rejects.toMatchObject({
    code: 'invalid_media',
    message: expect.stringMatching(/^The image has 4000 × 4000 pixels\. The limit for this format is 12 megapixels/),
  });
});

it.skipIf(process.platform !== 'linux')('gives a decoder no more memory than its share (needs Linux)', async () => {
  const file = path.join(folder, 'bomb.avif');
  await writeFile(file, createAvifBomb());
  const own = createPictureProcess({ ...tools, can_limit: true }, 100_000_000);
  expect(await own.run({ kind: 'decode', file }, LONG)).toEqual({ problem: expect.stringMatching(/emory/) });
  expect(await own.run(header(), LONG)).toHaveProperty('header.width', 300);
});

it('decodes a large image repeatedly', async () => {
  const file = path.join(folder, 'large.avif');
  await writeFile(file, createAvifBomb());
  const small = { kind: 'shrink', file, output: path.join(folder, 'large.webp'), width: 960, height: 960 } as const;
  for (let turn = 0; turn < 2; turn += 1) {
    expect(await tools.pictures.run({ kind: 'decode', file }, LONG)).toHaveProperty('size');
    expect(await tools.pictures.run(small, LONG)).toHaveProperty('size');
  }
});

it('runs jobs one after another with matching responses', async () => {
  const pictures = scripted('const job = JSON.parse(line); say({ size: { width: job.width, height: 1 } })');
  const widths = [5, 6, 7, 8];
  const job = (width: number) => ({ kind: 'shrink', file: photo, output: photo, width, height: 1 }) as const;
  const answers = await Promise.all(widths.map((width) => pictures.run(job(width), LONG)));
  expect(answers).toEqual(widths.map((width) => ({ size: { width, height: 1 } })));
});

it('retries a job once when its process exited for another reason', async () => {
  const marks = path.join(folder, 'marks');
  const note = `const fs = require('node:fs'); fs.appendFileSync(${JSON.stringify(marks)}, 'x');`;
  const pictures = scripted(
    `${note} if (fs.readFileSync(${JSON.stringify(marks)}, 'utf8').length === 2) process.exit(9); say({ size: ${JSON.stringify(size)} });`,
  );
  expect(await pictures.run(header(), LONG)).toEqual({ size });
  expect(await pictures.run(header(), LONG)).toEqual({ size });
  expect(await readFile(marks, 'utf8')).toBe('xxx');
  const failing = scripted('process.exit(9)');
  const failure = { name: 'MediaError', code: 'processing_failed', cause: { message: 'It exited with 9: ' } };
  await expect(failing.run(header(), LONG)).rejects.toMatchObject(failure);
});

it('replaces a decoder that times out or whose request is aborted', async () => {
  const begun = path.join(folder, 'begun');
  const pictures = scripted(
    `if (JSON.parse(line).kind === 'header') say({ size: ${JSON.stringify(size)} });
     else require('node:fs').writeFileSync(${JSON.stringify(begun)}, '');`,
  );
  const never = { kind: 'decode', file: photo } as const;
  expect(await pictures.run(header(), LONG)).toEqual({ size });
  await expect(pictures.run(never, { timeoutMs: 50 })).rejects.toMatchObject({ code: 'timeout' });
  expect(await pictures.run(header(), LONG)).toEqual({ size });
  await rm(begun, { force: true });
  const controller = new AbortController();
  const aborted = expect(pictures.run(never, { ...LONG, signal: controller.signal })).rejects.toThrow('canceled');
  await expect.poll(() => existsSync(begun)).toBe(true);
  controller.abort(new Error('canceled'));
  await aborted;
  expect(await pictures.run(header(), LONG)).toEqual({ size });
});
