import type { MaskState } from './mask-canvas.ts';
import type { MaskOperation } from './mask-operation.ts';
import type { MaskEvent, MaskMessage, MaskSource } from './mask-worker.ts';

export type MaskPainter = ReturnType<typeof createMaskPainter>;

/** Paints a mask in a worker: copying the canvas of a large picture would stop the page for tenths of a second. */
export function createMaskPainter({ canvas, picture, src }: MaskSource, onChange: (state: MaskState) => void) {
  const worker = new Worker(new URL('./mask-worker.ts', import.meta.url), { type: 'module' });
  const send = (message: MaskMessage, transfer: Transferable[] = []) => worker.postMessage(message, transfer);
  const receive = <K extends 'opened' | 'written'>(expected: K) =>
    new Promise<Extract<MaskEvent, { kind: K }>>((resolve, reject) => {
      const onEvent = ({ data }: MessageEvent<MaskEvent>) => {
        if (data.kind === 'changed') return;
        worker.removeEventListener('message', onEvent);
        if (data.kind === expected) resolve(data as Extract<MaskEvent, { kind: K }>);
        else reject(new Error('The mask could not be drawn.'));
      };
      worker.addEventListener('message', onEvent);
      worker.addEventListener('error', reject, { once: true });
    });
  worker.addEventListener('message', ({ data }: MessageEvent<MaskEvent>) => {
    if (data.kind === 'changed') onChange(data.state);
  });
  const opened = receive('opened');
  send({ kind: 'open', canvas, picture, src }, [canvas]);
  /** Of the operation that is shown, what the worker has. */
  let sent: { operation: MaskOperation; length: number } | null = null;
  return {
    /** Rejected if the mask to continue with can't be loaded. */
    opened,
    /** Shows an operation that is not finished; it may be passed again as it grows, or another in its place. */
    preview: (operation: MaskOperation) => {
      const from = sent?.operation === operation ? sent.length : 0;
      sent = { operation, length: operation.points.length };
      send({ kind: 'preview', operation: { ...operation, points: operation.points.slice(from) }, grows: from > 0 });
    },
    apply: (operation: MaskOperation) => send({ kind: 'apply', operation }),
    finish: () => send({ kind: 'finish' }),
    cancel: () => send({ kind: 'cancel' }),
    undo: () => send({ kind: 'undo' }),
    redo: () => send({ kind: 'redo' }),
    write: () => {
      const written = receive('written');
      send({ kind: 'write' });
      return written;
    },
    close: () => worker.terminate(),
  };
}
