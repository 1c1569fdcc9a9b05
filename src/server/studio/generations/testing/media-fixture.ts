import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { uploads } from '#server/platform/db/schema/schema.ts';
import { createMedia, probeOnce } from '#server/platform/media/testing/create-media.ts';
import { createMediaLink } from '#server/studio/assets/media-links.ts';
import type { Fetcher } from '#server/platform/net/fetcher.ts';
import { OutboundError } from '#server/platform/net/outbound-error.ts';
import { createId } from '#server/platform/core/create-id.ts';
import type { TestService } from '#server/app/testing/test-service.ts';

export interface MediaFixture {
  /** 5 s with audio. */
  clip(): string;
  /** 31 s without audio. */
  longClip(): string;
  sound(): string;
  picture(): string;
  /** Serves `https://media.example/<name>` from files; every other host is unknown. */
  fetcher: Fetcher & { files: Map<string, string>; fetched: string[] };
  /** Inserts a file as an upload of an organization. @returns its signed link */
  upload(service: TestService, organization_id: string, file: string): Promise<{ id: string; url: string }>;
}

const CLIP =
  '-f lavfi -i testsrc=s=64x36:r=10:d=5 -f lavfi -i sine=d=5 -c:v libx264 -pix_fmt yuv420p -c:a aac -shortest';
const LONG_CLIP = '-f lavfi -i testsrc=s=64x36:r=5:d=31 -c:v libx264 -pix_fmt yuv420p';
const SOUND = '-f lavfi -i sine=d=3 -c:a pcm_s16le';
const PICTURE = '-f lavfi -i testsrc=s=64x36 -frames:v 1 -update 1';

export function useMediaFixture(): MediaFixture {
  let folder = '';
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'emulsion-media-'));
    const made = { 'clip.mp4': CLIP, 'long.mp4': LONG_CLIP, 'sound.wav': SOUND, 'picture.png': PICTURE };
    for (const [name, line] of Object.entries(made)) {
      await createMedia(join(folder, name), line.split(' '));
    }
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));
  const files = new Map<string, string>();
  const fetched: string[] = [];
  return {
    clip: () => join(folder, 'clip.mp4'),
    longClip: () => join(folder, 'long.mp4'),
    sound: () => join(folder, 'sound.wav'),
    picture: () => join(folder, 'picture.png'),
    fetcher: {
      files,
      fetched,
      async download(url, file, { signal }) {
        fetched.push(url);
        signal?.throwIfAborted();
        const source = files.get(url);
        if (source === undefined) throw new OutboundError('unknown_host', 'There is no such server.');
        await copyFile(source, file);
        return { size_bytes: 0 };
      },
      async assertReachable(url) {
        if (!files.has(url)) throw new OutboundError('unknown_host', 'There is no such server.');
      },
      post: () => Promise.reject(new Error('Nothing is posted here.')),
      assertPublic: () => Promise.reject(new Error('Nothing is posted here.')),
      createService() {
        throw new Error('No service is spoken to here.');
      },
      createPool() {
        throw new Error('No service is spoken to here.');
      },
    },
    async upload({ deps }, organization_id, file) {
      const media = await probeOnce(file);
      const now = deps.clock.now();
      const id = createId('upl', now);
      const storage_key = `uploads/${id}.${media.extension}`;
      const stored = await deps.storage.put(storage_key, { file });
      const { width, height, duration_seconds, mime_type } = media;
      await deps.db.insert(uploads).values({
        ...stored,
        id,
        organization_id,
        storage_key,
        width,
        height,
        duration_seconds,
        mime_type,
        created_by: 'key_01m7y6v0gyeg6ksk7hyezzk3qs',
        type: media.kind,
        filename: null,
        created_at: now,
      });
      return { id, url: createMediaLink(deps, id).url };
    },
  };
}
