import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runFfmpeg, createProgressReader } from './ffmpeg.ts';
import { flags } from './flags.ts';
import type { MediaTools } from './media-tools.ts';
import { sharedMediaTools } from './testing/shared-media-tools.ts';

let tools: MediaTools;
let folder: string;
beforeAll(async () => {
  tools = await sharedMediaTools();
  folder = await mkdtemp(path.join(tmpdir(), 'ffmpeg-'));
});
afterAll(() => rm(folder, { recursive: true }));

const failure = { name: 'MediaError', message: expect.stringMatching(/^[A-Z].*\.$/) };

it('encodes piped frames', async () => {
  async function* frames(): AsyncGenerator<Uint8Array> {
    for (let index = 0; index < 20; index += 1) yield Buffer.alloc(64 * 64 * 3, index * 10);
  }
  const file = path.join(folder, 'piped.mp4');
  const args = flags`-f rawvideo -pix_fmt rgb24 -s 64x64 -r 10 -i pipe:0 -pix_fmt yuv420p file:${file}`;
  await runFfmpeg(tools, { args, input: frames(), trusted: true });
  expect((await stat(file)).size).toBeGreaterThan(500);
});

it('reports rising progress up to 1', async () => {
  const fractions: number[] = [];
  const args = flags`-f lavfi -i testsrc2=s=320x180:d=4 file:${path.join(folder, 'p.mp4')}`;
  await runFfmpeg(tools, { args, trusted: true, total_seconds: 4, onProgress: (done) => fractions.push(done) });
  expect(fractions.at(-1)).toBe(1);
  expect(fractions).toEqual(fractions.toSorted((a, b) => a - b));
});

it('reads progress in any chunks and stays below 1 until the end', () => {
  const fractions: number[] = [];
  const read = createProgressReader(10, (done) => fractions.push(done));
  for (const piece of [
    'out_time_us=N/A\nout_ti',
    'me_us=2500000\nprogress=continue\nout_time_us=2000000\n',
    'out_time_us=99000000\n',
  ]) {
    read(Buffer.from(piece));
  }
  expect(fractions).toEqual([0.25, 0.99]);
  read(Buffer.from('progress=end\n'));
  expect(fractions.at(-1)).toBe(1);
});

it('fails with a message and the log as its cause', async () => {
  const run = runFfmpeg(tools, { args: flags`-i file:${path.join(folder, 'nothing.mp4')} -f null -` });
  await expect(run).rejects.toMatchObject({
    ...failure,
    code: 'processing_failed',
    cause: { message: expect.stringContaining('No such file') },
  });
});

it('stops ffmpeg after its time limit', async () => {
  const run = runFfmpeg(tools, { args: flags('-re -f lavfi -i testsrc2 -f null -'), trusted: true, timeoutMs: 300 });
  await expect(run).rejects.toMatchObject({ ...failure, code: 'timeout' });
});

it.each([
  ['HLS', (target: string) => `#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\n${target}\n#EXT-X-ENDLIST\n`],
  ['concat', (target: string) => `ffconcat version 1.0\nfile '${target}'\n`],
])('does not follow a %s playlist disguised as a video', async (_name, playlist) => {
  const secret = path.join(folder, 'secret.mp4');
  await runFfmpeg(tools, { args: flags`-f lavfi -i testsrc2=d=1 file:${secret}`, trusted: true });
  const bait = path.join(folder, 'bait.mp4');
  await writeFile(bait, playlist(secret));
  const copy = path.join(folder, 'copy.mp4');
  await expect(runFfmpeg(tools, { args: flags`-i file:${bait} -c copy file:${copy}` })).rejects.toMatchObject(failure);
  await expect(readFile(copy)).rejects.toMatchObject({ code: 'ENOENT' });
});

it.each(['http://127.0.0.1/a.mp4', 'concat:/etc/passwd', '/etc/passwd', 'data:,x', ''])(
  'rejects %j as an input, because only files and pipes are allowed',
  async (input) => {
    await expect(runFfmpeg(tools, { args: ['-i', input, '-f', 'null', '-'] })).rejects.toMatchObject(failure);
  },
);
