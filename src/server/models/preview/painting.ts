import { join } from 'node:path';
import { createJobProcess, type JobProcess } from '#server/platform/media/job-process.ts';
import { type Confinement, workerCommand } from '#server/platform/media/sandbox.ts';
import {
  type ImageRequest,
  type LayersRequest,
  type PaintJob,
  PaintResponse,
  type PixelFile,
} from './paint-protocol.ts';
import type { PaintRequest } from './painter.ts';
import type { ImageFormat } from './write-image.ts';

/** Paints in child processes. @throws {MediaError}; the signal's reason when aborted, which ends the process */
export interface Painting {
  paintImage(request: ImageRequest, output: { file: string; format: ImageFormat }, signal: AbortSignal): Promise<void>;
  /** @returns PNG files, from the ground to what is near */
  paintLayers(request: LayersRequest, folder: string, signal: AbortSignal): Promise<readonly string[]>;
  /** @returns a WebP */
  paintPoster(
    request: Extract<PaintRequest<PixelFile>, { kind: 'still' }>,
    options: { isAnimated: boolean },
    signal: AbortSignal,
  ): Promise<Buffer>;
}

/** Each process may use half a gigabyte of canvases. */
const MAX_PROCESSES = 2;
/** The largest picture takes seconds. */
const TIMEOUT_MS = 300_000;

interface Painter {
  process: JobProcess<PaintJob, PaintResponse>;
  jobCount: number;
}

/** Processes start on demand and end when they are idle. */
export function createPainting(confinement: Confinement, maxProcesses = MAX_PROCESSES): Painting {
  const painters = Array.from({ length: maxProcesses }, () => startPainter(confinement));

  async function run(job: PaintJob, signal: AbortSignal): Promise<PaintResponse> {
    // The first of the least busy ones, so that a second process starts only for a second job at the same time.
    const painter = painters.reduce((least, each) => (each.jobCount < least.jobCount ? each : least));
    painter.jobCount += 1;
    try {
      return await painter.process.run(job, { timeoutMs: TIMEOUT_MS, signal });
    } finally {
      painter.jobCount -= 1;
    }
  }

  async function runForFiles(job: PaintJob, signal: AbortSignal): Promise<readonly string[]> {
    const response = await run(job, signal);
    return 'files' in response ? response.files : throwProblem(response);
  }

  return {
    async paintImage(request, output, signal) {
      await runForFiles({ kind: 'image', request, ...output }, signal);
    },
    paintLayers: (request, folder, signal) => runForFiles({ kind: 'layers', request, folder }, signal),
    async paintPoster(request, { isAnimated }, signal) {
      const response = await run({ kind: 'poster', request, isAnimated }, signal);
      return 'base64' in response ? Buffer.from(response.base64, 'base64') : throwProblem(response);
    },
  };
}

const startPainter = (confinement: Confinement): Painter => ({
  process: createJobProcess({
    command: workerCommand(confinement, join(import.meta.dirname, 'painter-worker.ts')),
    response: PaintResponse,
    memoryBytes: null,
    messages: { timeout: 'The preview took too long to paint.', exited: 'The preview could not be painted.' },
  }),
  jobCount: 0,
});

function throwProblem(response: PaintResponse): never {
  if (!('problem' in response)) throw new Error('The painter sent another kind of response.');
  const { problem, code } = response;
  throw Object.assign(new Error(problem), code === undefined ? {} : { code });
}
