import { createHash, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, readFile, rename } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { runFfmpeg } from '#server/platform/media/ffmpeg.ts';
import { type MediaFileInfo, probeFile } from '#server/platform/media/probe-file.ts';
import { requireStreamTools } from '#server/platform/media/media-tools.ts';
import { sharedMediaTools } from './shared-media-tools.ts';

const CACHE = join(tmpdir(), 'emulsion-test-media');

/**
 * Creates a file by ffmpeg from our own inputs. What the same arguments created before on this machine is copied.
 * @param args without the output; inputs that are files are `file:…`
 * @returns the file
 */
export async function createMedia(file: string, args: readonly string[]): Promise<string> {
  const cached = join(CACHE, `${await hashArguments(args)}${extname(file)}`);
  if (!existsSync(cached)) {
    await mkdir(CACHE, { recursive: true });
    const part = join(CACHE, `${randomUUID()}${extname(file)}`);
    await runFfmpeg(await sharedMediaTools(), { args: [...args, `file:${part}`], trusted: true });
    // Another worker may create the same file at this moment.
    await rename(part, cached);
  }
  await copyFile(cached, file);
  return file;
}

async function hashArguments(args: readonly string[]): Promise<string> {
  const hash = createHash('sha256').update(requireStreamTools(await sharedMediaTools()).ffmpegVersion);
  for (const arg of args) hash.update('\0').update(arg.startsWith('file:') ? await readFile(arg.slice(5)) : arg);
  return hash.digest('hex').slice(0, 32);
}

const probed = new Map<string, Promise<MediaFileInfo>>();

/** Probes a file once per process, however it is named, for tests that are not about that. */
export async function probeOnce(file: string): Promise<MediaFileInfo> {
  const hash = createHash('sha256')
    .update(await readFile(file))
    .digest('hex');
  const known = probed.get(hash) ?? sharedMediaTools().then((tools) => probeFile(tools, file));
  probed.set(hash, known);
  return known;
}
