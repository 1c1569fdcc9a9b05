import { appendFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestService, type TestService } from '#server/app/testing/test-service.ts';
import { runFfmpeg } from '#server/platform/media/ffmpeg.ts';
import { flags } from '#server/platform/media/flags.ts';
import { probeFile } from '#server/platform/media/probe-file.ts';
import { inspectFile } from './inspect-file.ts';
import { type SignedFile, signFile } from './sign-file.ts';

const SOURCE_TYPES = 'http://cv.iptc.org/newscodes/digitalsourcetype';
const CREATED = { action: 'c2pa.created', digitalSourceType: `${SOURCE_TYPES}/trainedAlgorithmicMedia` };

let service: TestService;
let folder: string;
beforeAll(async () => {
  service = await createTestService();
  folder = await mkdtemp(join(tmpdir(), 'emulsion-credentials-'));
});
afterAll(async () => {
  await service.close();
  await rm(folder, { recursive: true });
});

async function createFile(name: string): Promise<string> {
  const file = join(folder, name);
  if (/\.(png|jpg|webp)$/.test(name)) {
    const noise = { type: 'gaussian', mean: 128, sigma: 30 } as const;
    await sharp({ create: { width: 320, height: 240, channels: 3, noise, background: '#000' } }).toFile(file);
    return file;
  }
  const sound = flags`-f lavfi -i sine=d=1`;
  const picture = flags`-f lavfi -i testsrc2=s=160x90:r=10:d=1`;
  const args: readonly string[] = /\.(mp3|wav|m4a|flac)$/.test(name) ? sound : [...picture, ...sound];
  await runFfmpeg(service.deps.media, { args: flags`${args} -shortest file:${file}`, trusted: true });
  return file;
}

async function sign(file: string, given: Partial<SignedFile> = {}): Promise<Buffer | null> {
  const { media, signing } = service.deps;
  const { mime_type, size_bytes } = await probeFile(media, file);
  const statement = { title: 'A result', actions: [CREATED], assertions: {} };
  return signFile(
    { tools: media, signer: await signing.signer(), trust: await signing.trust(), options: {} },
    { file, mime_type, size_bytes, statement, ingredients: [], thumbnail: null, ...given },
  );
}

async function inspect(file: string, sidecar?: Buffer) {
  const { media, signing } = service.deps;
  const { mime_type } = await probeFile(media, file);
  return (await inspectFile(media, { file, mime_type, sidecar }, await signing.trust())).report;
}

const VALID = { state: 'valid', problem: null, ai: 'generated' };
const OWN = { is_own: true, signer: 'Emulsion', generator: 'Emulsion', title: 'A result' };

describe('signing', { timeout: 120_000 }, () => {
  it.each(['a.png', 'a.jpg', 'a.webp', 'a.mp4', 'a.mov', 'a.m4a', 'a.mp3', 'a.wav'])(
    '%s holds its manifest, stays readable, and one flipped byte is found',
    async (name) => {
      const file = await createFile(name);
      const before = await probeFile(service.deps.media, file);
      expect(await sign(file)).toBeNull();
      expect(await inspect(file)).toMatchObject({ ...VALID, steps: [OWN] });
      expect({ ...(await probeFile(service.deps.media, file)), size_bytes: 0 }).toEqual({ ...before, size_bytes: 0 });
      const bytes = await readFile(file);
      const at = Math.floor(before.size_bytes / 2);
      const isAtEnd = /\.(mp3|png|jpg)$/.test(name);
      const place = isAtEnd ? bytes.length - 200 : at;
      bytes[place] = (bytes[place] ?? 0) ^ 1;
      const changed = join(folder, `changed-${name}`);
      await writeFile(changed, bytes);
      const { media, signing } = service.deps;
      const { report } = await inspectFile(
        media,
        { file: changed, mime_type: before.mime_type },
        await signing.trust(),
      );
      expect(report).toMatchObject({ state: 'changed', steps: [OWN] });
    },
  );

  it.each(['a.webm', 'a.flac'])('%s gets its manifest beside it', async (name) => {
    const file = await createFile(name);
    const before = await readFile(file);
    const sidecar = await sign(file);
    expect((await readFile(file)).equals(before)).toBe(true);
    expect(await inspect(file)).toMatchObject({ state: 'none' });
    expect(await inspect(file, sidecar ?? undefined)).toMatchObject({ ...VALID, steps: [OWN] });
    await writeFile(file, Buffer.concat([before, Buffer.alloc(1)]));
    const { media, signing } = service.deps;
    const { report } = await inspectFile(
      media,
      { file, mime_type: 'video/webm', sidecar: sidecar ?? undefined },
      await signing.trust(),
    );
    expect(report.state).toBe('changed');
  });

  it('a manifest says nothing of another file', async () => {
    const file = await createFile('b.webm');
    const sidecar = (await sign(file)) ?? undefined;
    const other = await createFile('b.png');
    expect(await inspect(other, sidecar)).toMatchObject({ state: 'changed', steps: [OWN] });
  });

  it('a video of more boxes than are read gets its manifest beside it', async () => {
    const file = await createFile('b.mp4');
    const free = Buffer.from([0, 0, 0, 8, ...Buffer.from('free')]);
    await appendFile(file, Buffer.concat(Array.from({ length: 20_001 }, () => free)));
    const before = await readFile(file);
    const sidecar = (await sign(file)) ?? undefined;
    expect((await readFile(file)).equals(before)).toBe(true);
    expect(await inspect(file, sidecar)).toMatchObject({ ...VALID, steps: [OWN] });
  });
});
