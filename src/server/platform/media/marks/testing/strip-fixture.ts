import { mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';
import { readMarks } from '#server/platform/media/marks/read-marks.ts';
import { stripCredentials } from '#server/platform/media/marks/strip-credentials.ts';
import { probeFile } from '#server/platform/media/probe-file.ts';
import { createMedia, probeOnce } from '#server/platform/media/testing/create-media.ts';
import { sharedMediaTools } from '#server/platform/media/testing/shared-media-tools.ts';
import { createTestSigner, type TestSigner } from '#server/platform/media/testing/sign-fixture.ts';

const VIDEO = '-f lavfi -i testsrc=s=64x36:r=10:d=2 -f lavfi -i sine=d=2 -c:v libx264 -pix_fmt yuv420p -c:a aac';
export const SOUND = '-f lavfi -i sine=d=2';
const PICTURE = '-f lavfi -i testsrc=s=64x36 -frames:v 1 -update 1';

/** How ffmpeg makes a file of each format, by its extension. */
export const FORMATS = {
  png: ['image/png', PICTURE],
  jpg: ['image/jpeg', PICTURE],
  webp: ['image/webp', PICTURE],
  mp4: ['video/mp4', `${VIDEO} -movflags +faststart`],
  mov: ['video/quicktime', VIDEO],
  m4a: ['audio/mp4', `${SOUND} -c:a aac`],
  mp3: ['audio/mpeg', `${SOUND} -c:a libmp3lame`],
  wav: ['audio/wav', `${SOUND} -c:a pcm_s16le`],
} as const;
type Extension = keyof typeof FORMATS;

/** Files of each format, to sign and to strip. */
export function useStripFixture() {
  let folder = '';
  let signer: TestSigner;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'emulsion-strip-'));
    signer = await createTestSigner();
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const make = (extension: Extension, args: string = FORMATS[extension][1]): Promise<string> =>
    createMedia(join(folder, `made.${extension}`), args.split(' '));

  async function write(name: string, bytes: Uint8Array): Promise<string> {
    const file = join(folder, name);
    await writeFile(file, bytes);
    return file;
  }

  async function strip(file: string): Promise<Buffer> {
    const handle = await open(file);
    try {
      const pieces: Buffer[] = [];
      for await (const piece of stripCredentials(handle)) pieces.push(piece);
      return Buffer.concat(pieces);
    } finally {
      await handle.close();
    }
  }

  /** Checksums of all decoded frames and samples. */
  const decode = async (file: string): Promise<string> =>
    readFile(await createMedia(`${file}.md5`, ['-i', `file:${file}`, '-f', 'framemd5']), 'utf8');

  return {
    make,
    write,
    strip,
    signer: () => signer,

    async expectSameMedia(extension: Extension): Promise<void> {
      const [mime_type] = FORMATS[extension];
      const source = await make(extension);
      const once = await signer.sign(await readFile(source), mime_type);
      const signed = await write(`signed.${extension}`, await signer.sign(once, mime_type, once));
      expect(await signer.countManifests(await readFile(signed), mime_type)).toBe(2);
      expect((await readMarks(signed)).c2pa).toBeInstanceOf(Buffer);

      const bytes = await strip(signed);
      const stripped = await write(`stripped.${extension}`, bytes);
      expect(await signer.countManifests(bytes, mime_type)).toBeNull();
      expect(await readMarks(stripped)).not.toHaveProperty('c2pa');
      expect(bytes.includes('jumdc2pa')).toBe(false);
      const { size_bytes: _size, ...info } = await probeFile(await sharedMediaTools(), stripped);
      const { size_bytes: _own, ...own } = await probeOnce(source);
      expect(info).toEqual(own);
      expect(await decode(stripped)).toBe(await decode(source));
    },
  };
}
