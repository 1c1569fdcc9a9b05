import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { EngineError, type EngineJob, type EngineResult, type LocalEngine } from '#server/models/engine/engine.ts';

export interface ScriptedEngine extends LocalEngine {
  jobs: EngineJob[];
  unblock(): void;
  /** Resolves when this many jobs have started in total. */
  waitForStarted(count: number): Promise<void>;
}

/** Commands that a prompt may start with. Any other prompt succeeds at once. */
const SCRIPTS: Readonly<Record<string, (job: EngineJob, opened: Promise<void>) => Promise<EngineResult>>> = {
  fail: async () => {
    throw new EngineError('engine_failed', 'The scripted engine was told to fail.', { retryable: true });
  },
  crash: async () => {
    throw new TypeError('A fault of ours, which nobody outside is to read.');
  },
  hang: async (job) => {
    await waitForAbort(job.signal);
    throw job.signal.reason;
  },
  wait: async (job, opened) => {
    await Promise.race([opened, waitForAbort(job.signal)]);
    job.signal.throwIfAborted();
    return createPictureResult(job);
  },
  deaf: async (job, opened) => {
    await opened;
    return createPictureResult(job);
  },
  text: async (job) => {
    const file = join(job.workDir, 'picture.png');
    await writeFile(file, 'not a picture');
    return { files: [file], data: null };
  },
  nothing: async () => ({ files: [], data: null }),
};

export function createScriptedEngine(name = 'preview'): ScriptedEngine {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  const jobs: EngineJob[] = [];
  const waiting: { count: number; resolve: () => void }[] = [];
  return {
    name,
    jobs,
    unblock: () => open(),
    waitForStarted: (count) =>
      new Promise((resolve) => {
        if (jobs.length >= count) resolve();
        else waiting.push({ count, resolve });
      }),
    supports: () => true,
    async run(job) {
      jobs.push(job);
      for (const { count, resolve } of waiting) if (jobs.length >= count) resolve();
      const [word = ''] = String(job.input['prompt'] ?? '').split(/\W/);
      return (SCRIPTS[word] ?? createPictureResult)(job, opened);
    },
  };
}

const waitForAbort = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });

const PIXELS = sharp({ create: { width: 4, height: 2, channels: 3, background: '#884422' } })
  .png()
  .toBuffer();

async function createPictureResult(job: EngineJob): Promise<EngineResult> {
  job.onProgress(0.5);
  const file = join(job.workDir, 'picture.png');
  await writeFile(file, await PIXELS);
  return { files: [file], data: null };
}
