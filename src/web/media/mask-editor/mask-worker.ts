import type { PixelDimensions } from '#web/media/zoom/zoom.ts';
import { encodeGrayPng } from './gray-png.ts';
import { drawOperation, type MaskOperation, type MaskPalette } from './mask-operation.ts';

/** `open` loads a mask, in the size that is worked on; `write` draws it in the size of its picture. */
export type MaskJob =
  | { kind: 'open'; src: string; size: PixelDimensions }
  | { kind: 'write'; operations: readonly MaskOperation[]; picture: PixelDimensions };

export type MaskJobResult =
  | { kind: 'opened'; alpha: ImageBitmap }
  | { kind: 'written'; png: Blob; isEmpty: boolean }
  | { kind: 'failed' };

/** Canvases of a whole picture are too large for some phones. */
const MAX_BAND_PIXELS = 4_000_000;
const PALETTE: MaskPalette = {
  color: '#fff',
  eraseColor: '#000',
  composites: { paint: 'source-over', erase: 'source-over', invert: 'difference' },
};

/** The mask as it was before this editing. */
let base: ImageBitmap | null = null;

async function runJob(job: MaskJob): Promise<MaskJobResult> {
  if (job.kind === 'open') {
    base = await loadMask(job.src);
    return { kind: 'opened', alpha: toAlpha(base, job.size) };
  }
  const { operations, picture } = job;
  let isEmpty = true;
  const bands = function* () {
    for (const band of drawBands(operations, picture)) {
      isEmpty &&= !band.some((value) => value >= 128);
      yield band;
    }
  };
  const png = await encodeGrayPng(picture, bands());
  return { kind: 'written', png, isEmpty };
}

async function loadMask(src: string): Promise<ImageBitmap> {
  const response = await fetch(src);
  if (!response.ok) throw new Error(`The mask could not be loaded: ${response.status}.`);
  return createImageBitmap(await response.blob());
}

function blackCanvas({ widthPx, heightPx }: PixelDimensions): OffscreenCanvasRenderingContext2D {
  const context = new OffscreenCanvas(widthPx, heightPx).getContext('2d', { willReadFrequently: true });
  if (!context) throw new Error('There is not enough memory to draw the mask.');
  context.fillRect(0, 0, widthPx, heightPx);
  return context;
}

function toAlpha(mask: ImageBitmap, { widthPx, heightPx }: PixelDimensions): ImageBitmap {
  const context = blackCanvas({ widthPx, heightPx });
  context.drawImage(mask, 0, 0, widthPx, heightPx);
  const pixels = context.getImageData(0, 0, widthPx, heightPx);
  for (let at = 0; at < pixels.data.length; at += 4) pixels.data[at + 3] = pixels.data[at] ?? 0;
  context.putImageData(pixels, 0, 0);
  return context.canvas.transferToImageBitmap();
}

function* drawBands(operations: readonly MaskOperation[], { widthPx, heightPx }: PixelDimensions) {
  const bandPx = Math.max(1, Math.floor(MAX_BAND_PIXELS / widthPx));
  for (let top = 0; top < heightPx; top += bandPx) {
    const rowCount = Math.min(bandPx, heightPx - top);
    const context = blackCanvas({ widthPx, heightPx: rowCount });
    context.setTransform(1, 0, 0, 1, 0, -top);
    if (base) context.drawImage(base, 0, 0, widthPx, heightPx);
    for (const operation of operations) drawOperation(context, operation, PALETTE);
    const { data } = context.getImageData(0, 0, widthPx, rowCount);
    const band = new Uint8Array(widthPx * rowCount);
    for (let at = 0; at < band.length; at += 1) band[at] = data[at * 4] ?? 0;
    yield band;
  }
}

self.addEventListener('message', ({ data }: MessageEvent<MaskJob>) => {
  void runJob(data)
    .catch((): MaskJobResult => ({ kind: 'failed' }))
    .then((result) => self.postMessage(result, { transfer: result.kind === 'opened' ? [result.alpha] : [] }));
});
