import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect } from 'vitest';
import type { CredentialReport } from '#contract/resources/credentials.ts';
import { createTestService, type TestService } from '#server/app/testing/test-service.ts';
import { inspectFile } from '#server/platform/media/credentials/inspect-file.ts';
import { signFile } from '#server/platform/media/credentials/sign-file.ts';
import { flags } from '#server/platform/media/flags.ts';
import { probeFile } from '#server/platform/media/probe-file.ts';
import { createMedia, probeOnce } from '#server/platform/media/testing/create-media.ts';

const SOURCE_TYPES = 'http://cv.iptc.org/newscodes/digitalsourcetype';
const CREATED = { action: 'c2pa.created', digitalSourceType: `${SOURCE_TYPES}/trainedAlgorithmicMedia` };

export const VALID = { state: 'valid', problem: null, ai: 'generated' };
export const OWN = { is_own: true, signer: 'Emulsion', generator: 'Emulsion', title: 'A result' };

/** Files of any format, signed and inspected with the certificate of a service. */
export function useSigning() {
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
    return createMedia(file, flags`${args} -shortest`);
  }

  async function sign(file: string): Promise<Buffer | null> {
    const { media, signing } = service.deps;
    const { mime_type, size_bytes } = await probeOnce(file);
    const statement = { title: 'A result', actions: [CREATED], assertions: {} };
    return signFile(
      { tools: media, signer: await signing.signer(), trust: await signing.trust(), options: {} },
      { file, mime_type, size_bytes, statement, ingredients: [], thumbnail: null },
    );
  }

  async function inspect(file: string, mime_type: string, sidecar?: Buffer | null): Promise<CredentialReport> {
    const { media, signing } = service.deps;
    const inspected = { file, mime_type, sidecar: sidecar ?? undefined };
    return (await inspectFile(media, inspected, await signing.trust())).report;
  }

  return {
    createFile,
    sign,
    inspect,

    async expectEmbedded(name: string): Promise<void> {
      const file = await createFile(name);
      const before = await probeOnce(file);
      expect(await sign(file)).toBeNull();
      expect(await inspect(file, before.mime_type)).toMatchObject({ ...VALID, steps: [OWN] });
      expect({ ...(await probeFile(service.deps.media, file)), size_bytes: 0 }).toEqual({ ...before, size_bytes: 0 });
      const bytes = await readFile(file);
      const at = Math.floor(before.size_bytes / 2);
      const isAtEnd = /\.(mp3|png|jpg)$/.test(name);
      const place = isAtEnd ? bytes.length - 200 : at;
      bytes[place] = (bytes[place] ?? 0) ^ 1;
      const changed = join(folder, `changed-${name}`);
      await writeFile(changed, bytes);
      expect(await inspect(changed, before.mime_type)).toMatchObject({ state: 'changed', steps: [OWN] });
    },

    async expectBeside(name: string, mime_type: string): Promise<void> {
      const file = await createFile(name);
      const before = await readFile(file);
      const sidecar = await sign(file);
      expect((await readFile(file)).equals(before)).toBe(true);
      expect(await inspect(file, mime_type)).toMatchObject({ state: 'none' });
      expect(await inspect(file, mime_type, sidecar)).toMatchObject({ ...VALID, steps: [OWN] });
      await writeFile(file, Buffer.concat([before, Buffer.alloc(1)]));
      expect((await inspect(file, 'video/webm', sidecar)).state).toBe('changed');
    },
  };
}
