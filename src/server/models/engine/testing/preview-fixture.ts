import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import type { ModelId, TaskId } from '#contract/ids.ts';
import { runFfmpeg } from '#server/platform/media/ffmpeg.ts';
import { flags } from '#server/platform/media/flags.ts';
import type { MediaTools } from '#server/platform/media/media-tools.ts';
import { probeFile, type MediaFileInfo } from '#server/platform/media/probe-file.ts';
import { createMedia, probeOnce } from '#server/platform/media/testing/create-media.ts';
import { sharedMediaTools } from '#server/platform/media/testing/shared-media-tools.ts';
import type { EngineJob, EngineResult } from '#server/models/engine/engine.ts';
import { createPreviewEngine } from '#server/models/preview/preview-engine.ts';

export interface PreviewFixture {
  tools: MediaTools;
  folder: string;
  run(
    task: TaskId,
    model: ModelId | null,
    input: Readonly<Record<string, unknown>>,
    files?: Readonly<Record<string, string>>,
    options?: Partial<Pick<EngineJob, 'signal' | 'onProgress' | 'generation_id'>>,
  ): Promise<PreviewResult>;
  createPicture(name: string, size: string, color: string): Promise<string>;
  createFile(name: string, args: readonly string[]): Promise<string>;
  /** A frame as small RGB pixels. A negative index counts from the end. */
  readFrame(file: string, index: number, frames: number): Promise<Buffer>;
  close(): Promise<void>;
}

interface PreviewResult extends EngineResult {
  workDir: string;
  file: string;
  media: MediaFileInfo;
}

const COMPARED_SIZE = { width: 64, height: 36 };

export async function openPreviewFixture(): Promise<PreviewFixture> {
  const tools = await sharedMediaTools();
  const folder = await mkdtemp(path.join(tmpdir(), 'preview-'));
  const engine = createPreviewEngine({ tools });
  return {
    tools,
    folder,
    async run(task, model, input, files = {}, options = {}) {
      const workDir = await mkdtemp(path.join(folder, 'job-'));
      const references = await Promise.all(
        Object.entries(files).map(async ([at, file]) => ({
          path: at,
          url: `https://media.test/${path.basename(file)}`,
          role: null,
          file,
          media: await probeOnce(file),
        })),
      );
      const result = await engine.run({
        generation_id: 'gen_test',
        task,
        model,
        input,
        references,
        workDir,
        signal: new AbortController().signal,
        onProgress: () => undefined,
        ...options,
      });
      const file = result.files[0] ?? '';
      return { ...result, workDir, file, media: await probeFile(tools, file) };
    },
    async createPicture(name, size, color) {
      const [width = 8, height = 8] = size.split('x').map(Number);
      const file = path.join(folder, name);
      await sharp({ create: { width, height, channels: 3, background: color } })
        .png()
        .toFile(file);
      return file;
    },
    createFile: (name, args) => createMedia(path.join(folder, name), args),
    async readFrame(file, index, frames) {
      const chunks: Buffer[] = [];
      const at = index < 0 ? frames + index : index;
      await runFfmpeg(tools, {
        trusted: true,
        args: flags`-i file:${file} -vf ${`select=eq(n\\,${at})`} -frames:v 1 -c:v png -f image2pipe pipe:1`,
        onOutput: (chunk) => void chunks.push(chunk),
      });
      return smallRgb(Buffer.concat(chunks));
    },
    close: () => rm(folder, { recursive: true, force: true }),
  };
}

/** Mean absolute difference per byte, 0 to 255. */
export function meanDifference(a: Uint8Array, b: Uint8Array): number {
  if (a.length !== b.length || a.length === 0) return 255;
  return a.reduce((sum, value, index) => sum + Math.abs(value - (b[index] ?? 0)), 0) / a.length;
}

export const smallRgb = (file: string | Buffer): Promise<Buffer> =>
  sharp(file)
    .resize({ ...COMPARED_SIZE, fit: 'cover' })
    .removeAlpha()
    .raw()
    .toBuffer();
