import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { runFfmpeg } from '#server/platform/media/ffmpeg.ts';
import { flags } from '#server/platform/media/flags.ts';
import type { MediaTools } from '#server/platform/media/media-tools.ts';
import { createMedia, probeOnce } from '#server/platform/media/testing/create-media.ts';
import { sharedMediaTools } from '#server/platform/media/testing/shared-media-tools.ts';
import type { EngineJob, EngineResult } from '#server/models/engine/engine.ts';
import { createToolsEngine } from '#server/models/tools/tools-engine.ts';

export interface ClipFixture {
  tools: MediaTools;
  folder: string;
  /** Runs one ffmpeg command; sources come from `numberedFrames` and `clickTrack`. */
  createClip(name: string, args: readonly string[]): Promise<string>;
  run(
    task: EngineJob['task'],
    files: Readonly<Record<string, string>>,
    input: Readonly<Record<string, unknown>>,
    options?: Partial<Pick<EngineJob, 'signal' | 'onProgress'>> & { before?(workDir: string): Promise<void> },
  ): Promise<EngineResult & { workDir: string }>;
  /** The number shown in each frame, along its longer side. */
  frameNumbers(file: string, axis?: 'x' | 'y'): Promise<number[]>;
  /** Times in seconds at which audio starts after silence. */
  clicks(file: string): Promise<number[]>;
  close(): Promise<void>;
}

const BITS = 8;

/** Returns a source filter whose frames show their number as eight dark or bright bars. */
export const numberedFrames = (size: string, rate: string, duration_seconds: number): string =>
  `nullsrc=s=${BITS}x2:r=${rate}:d=${duration_seconds},` +
  `geq=lum='if(mod(floor(N/pow(2,X)),2),200,40)':cb=128:cr=128,` +
  `scale=${size.replace('x', ':')}:flags=neighbor,setsar=1`;

/** Returns a source filter with a 50 ms tone of 1 kHz every second. */
export const clickTrack = (duration_seconds: number): string =>
  `aevalsrc=exprs='0.8*sin(2*PI*1000*t)*lt(mod(t,1),0.05)':s=48000:d=${duration_seconds}`;

export async function openClipFixture(): Promise<ClipFixture> {
  const tools = await sharedMediaTools();
  const folder = await mkdtemp(path.join(tmpdir(), 'clips-'));
  const engine = createToolsEngine(tools);

  const decode = async (args: readonly string[]): Promise<Buffer> => {
    const chunks: Buffer[] = [];
    await runFfmpeg(tools, { args, trusted: true, onOutput: (chunk) => void chunks.push(chunk) });
    return Buffer.concat(chunks);
  };

  return {
    tools,
    folder,
    createClip: (name, args) => createMedia(path.join(folder, name), args),
    async run(task, files, input, { before, ...options } = {}) {
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
      await before?.(workDir);
      const job = { generation_id: 'gen_test', task, model: null, input, references, workDir };
      const result = await engine.run({
        ...job,
        signal: new AbortController().signal,
        onProgress: () => undefined,
        ...options,
      });
      return { ...result, workDir };
    },
    async frameNumbers(file, axis = 'x') {
      const [width, height] = axis === 'x' ? [BITS, 1] : [1, BITS];
      const grey = await decode(
        flags`-i file:${file} -map 0:V:0 -vsync passthrough -vf scale=${width}:${height}:flags=area -pix_fmt gray -f rawvideo pipe:1`,
      );
      return Array.from({ length: grey.length / BITS }, (_, frame) =>
        grey
          .subarray(frame * BITS, (frame + 1) * BITS)
          .reduce((sum, value, bit) => sum + (value > 120 ? 2 ** bit : 0), 0),
      );
    },
    async clicks(file) {
      const sound = await decode(
        flags`-i file:${file} -map 0:a:0 -af aresample=48000:async=1:first_pts=0 -ac 1 -f s16le pipe:1`,
      );
      const clicks: number[] = [];
      let silentSamples = Number.POSITIVE_INFINITY;
      for (let at = 0; at + 1 < sound.length; at += 2) {
        const loud = Math.abs(sound.readInt16LE(at)) > 3_000;
        if (loud && silentSamples > 4_800) clicks.push(at / 2 / 48_000);
        silentSamples = loud ? 0 : silentSamples + 1;
      }
      return clicks;
    },
    close: () => rm(folder, { recursive: true, force: true }),
  };
}
