import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sharedMediaTools } from '#server/platform/media/testing/shared-media-tools.ts';
import { createPainting, type Painting } from './painting.ts';
import { readTheme } from './theme.ts';

let folder: string;
let painting: Painting;
/** Of other test files in this process. */
let earlier: ReadonlySet<number>;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'painting-'));
  painting = createPainting(await sharedMediaTools());
  earlier = new Set(await paintersOf(process.pid));
});
afterAll(() => rm(folder, { recursive: true }));

const picture = (side: number) => ({
  kind: 'still' as const,
  width: side,
  height: side,
  theme: readTheme('a lighthouse', 'model', 1),
  isTransparent: false,
  references: [],
});
const paintInto = (name: string, side = 64, signal = new AbortController().signal) =>
  painting.paintImage(picture(side), { file: path.join(folder, name), format: 'png' }, signal);

/** Painters that a process has started; `setpriv` and `prlimit` become them. */
async function paintersOf(pid: number): Promise<number[]> {
  const found: number[] = [];
  for (const each of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const [stats, command] = await Promise.all(
      ['stat', 'cmdline'].map((name) => readFile(`/proc/${each}/${name}`, 'utf8').catch(() => '')),
    );
    const parent = Number(stats?.split(') ')[1]?.split(' ')[1]);
    if (parent === pid && command?.includes('painter-worker')) found.push(Number(each));
  }
  return found;
}

const ownPainters = async () => (await paintersOf(process.pid)).filter((pid) => !earlier.has(pid));

it('reports an error of the file system with its code', async () => {
  await expect(paintInto('missing/picture.png')).rejects.toMatchObject({ code: 'ENOENT' });
});

describe.runIf(process.platform === 'linux')('painter processes', () => {
  it('are two at most, and loaded no canvas into the service', async () => {
    await Promise.all(['a', 'b', 'c', 'd', 'e'].map((name) => paintInto(`${name}.png`)));
    expect(await ownPainters()).toHaveLength(2);
    for (const name of ['a', 'e']) expect((await stat(path.join(folder, `${name}.png`))).size).toBeGreaterThan(100);
    expect(await readFile('/proc/self/maps', 'utf8')).not.toContain('napi-rs');
  });

  it('end when their job is aborted, and others take over', async () => {
    await Promise.all([paintInto('one.png'), paintInto('two.png')]);
    const controller = new AbortController();
    const running = expect(paintInto('large.png', 4_000, controller.signal)).rejects.toThrow('canceled');
    setImmediate(() => controller.abort(new Error('canceled')));
    await running;
    await expect.poll(ownPainters).toHaveLength(1);
    await paintInto('after.png');
    expect(await ownPainters()).toHaveLength(2);
  });

  it('end with a service that is killed', async () => {
    const script = `
      const { resolveMediaTools } = await import(${JSON.stringify(import.meta.resolve('../../platform/media/media-tools.ts'))});
      const { createPainting } = await import(${JSON.stringify(import.meta.resolve('./painting.ts'))});
      const request = ${JSON.stringify(picture(64))};
      const output = { file: ${JSON.stringify(path.join(folder, 'other.png'))}, format: 'png' };
      await createPainting(await resolveMediaTools()).paintImage(request, output, new AbortController().signal);
      console.log('painted');
      setInterval(() => undefined, 1_000);`;
    const service = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    try {
      await once(service.stdout, 'data');
      const painters = await paintersOf(service.pid ?? 0);
      expect(painters).toHaveLength(1);
      service.kill('SIGKILL');
      await once(service, 'exit');
      const command = () => readFile(`/proc/${painters[0]}/cmdline`, 'utf8').catch(() => '');
      await expect.poll(command).not.toContain('painter-worker');
    } finally {
      service.kill('SIGKILL');
    }
  });
});
