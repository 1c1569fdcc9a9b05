import type { MaskJob, MaskJobResult } from './mask-worker.ts';

type JobOf<K extends MaskJob['kind']> = Omit<Extract<MaskJob, { kind: K }>, 'kind'>;
type ResultOf<K extends MaskJobResult['kind']> = Extract<MaskJobResult, { kind: K }>;

/** Draws masks in a worker, one at a time: a picture of 50 megapixels would stop the page for seconds. */
export function createMaskWriter() {
  const worker = new Worker(new URL('./mask-worker.ts', import.meta.url), { type: 'module' });
  const run = <K extends MaskJobResult['kind']>(job: MaskJob, expected: K) =>
    new Promise<ResultOf<K>>((resolve, reject) => {
      const onResult = ({ data }: MessageEvent<MaskJobResult>) =>
        data.kind === expected ? resolve(data as ResultOf<K>) : reject(new Error('The mask could not be drawn.'));
      worker.addEventListener('message', onResult, { once: true });
      worker.addEventListener('error', reject, { once: true });
      worker.postMessage(job, []);
    });
  return {
    open: (job: JobOf<'open'>) => run({ kind: 'open', ...job }, 'opened'),
    write: (job: JobOf<'write'>) => run({ kind: 'write', ...job }, 'written'),
    close: () => worker.terminate(),
  };
}
