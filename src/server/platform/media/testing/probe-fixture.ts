import { mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect } from 'vitest';
import { flags } from '#server/platform/media/flags.ts';
import type { MediaTools } from '#server/platform/media/media-tools.ts';
import { type MediaFileInfo, probeFile } from '#server/platform/media/probe-file.ts';
import { createMedia } from './create-media.ts';
import { sharedMediaTools } from './shared-media-tools.ts';

export const PICTURE = '-f lavfi -i testsrc2=s=160x90:r=25:d=2';
const TONE = '-f lavfi -i sine=d=2';
export const X264 = '-c:v libx264 -preset ultrafast -g 25 -pix_fmt yuv420p';
const SOURCES = {
  'a.png': `${PICTURE} -frames:v 1`,
  'a.jpg': `${PICTURE} -frames:v 1`,
  'a.webp': `${PICTURE} -frames:v 1 -c:v libwebp`,
  'moving.webp': `${PICTURE} -t 0.4 -c:v libwebp_anim`,
  'a.gif': `${PICTURE} -t 0.4`,
  'a.mp4': `${PICTURE} ${TONE} ${X264} -c:a aac`,
  'fast.mp4': `${PICTURE} ${TONE} ${X264} -c:a aac -movflags +faststart`,
  'fragments.mp4': `${PICTURE} ${X264} -movflags frag_keyframe+empty_moov`,
  'a.mov': `${PICTURE} ${X264}`,
  'a.mkv': `${PICTURE} ${TONE} ${X264} -c:a aac`,
  'a.webm': `${PICTURE} ${TONE} -c:v libvpx -deadline realtime -cpu-used 8 -c:a libopus`,
  'live.webm': `${PICTURE} -c:v libvpx -deadline realtime -cpu-used 8 -live 1 -f webm`,
  'sound.webm': `${TONE} -c:a libopus`,
  'a.mp3': TONE,
  'a.wav': TONE,
  'a.m4a': TONE,
  'a.aac': TONE,
  'a.flac': TONE,
  'a.ogg': `${TONE} -c:a libvorbis`,
  'opus.ogg': `${TONE} -c:a libopus`,
} as const;

export type SourceName = keyof typeof SOURCES | 'a.avif';

export const refusal = (message: RegExp = /^[A-Z].*\.$/) =>
  expect.objectContaining({ name: 'MediaError', code: 'invalid_media', message: expect.stringMatching(message) });

/** Files of every format, each made when a test asks for it. */
export function useProbeFixture() {
  let tools: MediaTools;
  let folder = '';
  const sources = new Map<SourceName, Promise<string>>();
  beforeAll(async () => {
    tools = await sharedMediaTools();
    folder = await mkdtemp(path.join(tmpdir(), 'probe-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const make = (name: string, line: string): Promise<string> => createMedia(path.join(folder, name), flags(line));

  async function makeAvif(): Promise<string> {
    const file = path.join(folder, 'a.avif');
    await sharp(await source('a.png'))
      .avif({ effort: 0 })
      .toFile(file);
    return file;
  }

  function source(name: SourceName): Promise<string> {
    const known = sources.get(name) ?? (name === 'a.avif' ? makeAvif() : make(name, SOURCES[name]));
    sources.set(name, known);
    return known;
  }

  const probe = (file: string): Promise<MediaFileInfo> => probeFile(tools, file);

  const write = async (name: string, bytes: string | Uint8Array): Promise<string> => {
    const file = path.join(folder, name);
    await writeFile(file, bytes);
    return file;
  };

  return {
    make,
    source,
    probe,
    write,
    tools: () => tools,
    path: (name: string) => path.join(folder, name),
    readSource: async (name: SourceName): Promise<Buffer> => readFile(await source(name)),

    async expectVideo(name: SourceName, mime_type: string, extension: string, has_audio: boolean): Promise<void> {
      expect(await probe(await source(name))).toMatchObject({
        kind: 'video',
        mime_type,
        extension,
        width: 160,
        height: 90,
        fps: 25,
        has_audio,
        duration_seconds: expect.closeTo(2, 2),
      });
    },

    async expectAudio(name: SourceName, mime_type: string, extension: string): Promise<void> {
      const media = await probe(await source(name));
      expect(media).toMatchObject({ kind: 'audio', mime_type, extension, width: null, height: null, has_audio: true });
      expect(Math.abs((media.duration_seconds ?? 0) - 2)).toBeLessThan(0.06);
    },

    async expectTruncatedRejected(name: SourceName): Promise<void> {
      const bytes = await readFile(await source(name));
      for (const part of [0.6, 0.9]) {
        const file = await write(`cut-${name}`, bytes);
        await truncate(file, Math.floor(bytes.length * part));
        await expect(probe(file)).rejects.toEqual(refusal());
      }
    },
  };
}
