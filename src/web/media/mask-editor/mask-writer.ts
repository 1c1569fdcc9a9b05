import type { MaskJob, MaskJobResult } from './mask-worker.ts';

type ResultOf<K extends MaskJobResult['kind']> = Extract<MaskJobResult, { kind: K }>;

/** Draws masks in a worker, since a picture of 50 megapixels would stop the page for seconds. */
export function createMaskWriter() {
  const worker = new Worker(new URL('./mask-worker.ts', import.meta.url), { type: 'module' });
  const run = <K extends MaskJobResult['kind']>(job: MaskJob, expected: K) =>
    new Promise<ResultOf<K>>((resolve, reject) => {
      const control = new AbortController();
      const { signal } = control;
      worker.addEventListener(
        'message',
        ({ data }: MessageEvent<MaskJobResult>) => {
          control.abort();
          if (data.kind === expected) resolve(data as ResultOf<K>);
          else reject(new Error(data.kind === 'failed' ? data.message : 'The mask could not be drawn.'));
        },
        { signal },
      );
      worker.addEventListener(
        'error',
        () => {
          control.abort();
          reject(new Error('The mask could not be drawn.'));
        },
        { signal },
      );
      worker.postMessage(job, []);
    });
  return {
    open: (job: Omit<Extract<MaskJob, { kind: 'open' }>, 'kind'>) => run({ kind: 'open', ...job }, 'opened'),
    write: (job: Omit<Extract<MaskJob, { kind: 'write' }>, 'kind'>) => run({ kind: 'write', ...job }, 'written'),
    close: () => worker.terminate(),
  };
}
