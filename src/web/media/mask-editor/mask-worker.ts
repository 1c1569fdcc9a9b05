import type { PixelDimensions } from '#web/media/zoom/zoom.ts';
import { encodeGrayPng } from './gray-png.ts';
import { createMaskCanvas, type MaskCanvas, type MaskState, workSize } from './mask-canvas.ts';
import { drawOperation, type MaskOperation, type MaskPalette } from './mask-operation.ts';

export type MaskMessage =
  | ({ kind: 'open' } & MaskSource)
  /** Draws what is painted; `grows`: the points continue the operation before. */
  | { kind: 'preview'; operation: MaskOperation; grows: boolean }
  | { kind: 'apply'; operation: MaskOperation }
  | { kind: 'finish' | 'cancel' | 'undo' | 'redo' }
  /** Draws the mask in the size of its picture. */
  | { kind: 'write' };

export interface MaskSource {
  canvas: OffscreenCanvas;
  picture: PixelDimensions;
  /** The mask to continue with. */
  src: string | null;
}

export type MaskEvent =
  | { kind: 'changed'; state: MaskState }
  | { kind: 'opened' }
  | { kind: 'written'; png: Blob; isEmpty: boolean }
  | { kind: 'failed' };

/** Canvases of a whole picture are too large for some phones. */
const MAX_BAND_PIXELS = 4_000_000;
const PALETTE: MaskPalette = {
  color: '#fff',
  eraseColor: '#000',
  composites: { paint: 'source-over', erase: 'source-over', invert: 'difference' },
};

const send = (event: MaskEvent) => self.postMessage(event, { transfer: [] });

interface Painting {
  canvas: MaskCanvas;
  picture: PixelDimensions;
  /** The mask as it was before this editing. */
  base: ImageBitmap | null;
  previewed: MaskOperation | null;
}

let painting: Painting | null = null;

async function handle(message: MaskMessage): Promise<void> {
  if (message.kind === 'open') {
    painting = await openPainting(message);
    return send({ kind: 'opened' });
  }
  if (!painting) throw new Error('No mask is open.');
  const { canvas, previewed } = painting;
  switch (message.kind) {
    case 'preview':
      if (message.grows && previewed) previewed.points.push(...message.operation.points);
      else painting.previewed = message.operation;
      return canvas.preview(painting.previewed ?? message.operation);
    case 'apply':
      return canvas.apply(message.operation);
    case 'write':
      return send({ kind: 'written', ...(await writePng(painting)) });
    default:
      return canvas[message.kind]();
  }
}

async function openPainting({ canvas: shown, picture, src }: MaskSource): Promise<Painting> {
  const canvas = createMaskCanvas(shown, picture, (state) => send({ kind: 'changed', state }));
  const base = src === null ? null : await loadMask(src);
  if (base) canvas.open(toAlpha(base, workSize(picture)));
  return { canvas, picture, base, previewed: null };
}

async function writePng({ canvas, picture, base }: Painting): Promise<{ png: Blob; isEmpty: boolean }> {
  let isEmpty = true;
  const bands = function* () {
    for (const band of drawBands(canvas.operations(), picture, base)) {
      isEmpty &&= !band.some((value) => value >= 128);
      yield band;
    }
  };
  const png = await encodeGrayPng(picture, bands());
  return { png, isEmpty };
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

function* drawBands(
  operations: readonly MaskOperation[],
  { widthPx, heightPx }: PixelDimensions,
  base: ImageBitmap | null,
) {
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

self.addEventListener('message', ({ data }: MessageEvent<MaskMessage>) => {
  handle(data).catch(() => send({ kind: 'failed' }));
});
