import { type MessagePort, parentPort } from 'node:worker_threads';
import { hangPrints, printPlanes } from '../draw/prints.ts';
import { type Bitmap, bitmap } from '../draw/stage.ts';
import { weatherPlanes } from '../draw/weather.ts';
import { paintLook } from '../edit/apply-look.ts';
import { type BackgroundRemoval, removeBackground } from '../edit/remove-background.ts';
import { composeSound } from '../sound/compose.ts';
import { createClip } from './clip.ts';
import type { ByteArray, ClipRequest, EditRequest, EditResult, PaintRequest } from './protocol.ts';
import { createStage, paintPlane, renderStill } from './still.ts';

/** Entry point of a paint thread, which handles one request after another. */
const port = parentPort;
if (!port) throw new Error('The painter runs in a worker thread only.');

let nextFrame: (() => void) | undefined;
// Each frame is painted in its own task, because memory of earlier frames is freed between tasks.
port.on('message', (message: PaintRequest | 'next') => {
  if (message !== 'next') startRequest(port, message);
  else setImmediate(() => nextFrame?.());
});

function startRequest(out: MessagePort, request: PaintRequest): void {
  nextFrame = undefined;
  switch (request.kind) {
    case 'still':
      return send(out, readAll(renderStill(request)));
    case 'edit': {
      const { canvas, cut } = renderEdit(request);
      const edited: EditResult = { rgba: readAll(canvas), cut };
      return out.postMessage(edited, [edited.rgba.buffer]);
    }
    case 'clip':
      return startClip(out, request);
    case 'sound':
      return send(out, composeSound(request.brief, request.duration_seconds));
  }
}

/** Paints each further frame only on request, so that frames never pile up. */
function startClip(out: MessagePort, request: ClipRequest): void {
  const clip = createClip(request);
  let index = 0;
  nextFrame = () => {
    if (index === request.frames) return;
    clip.paint(index);
    index += 1;
    send(out, request.veil ? readAll(clip.canvas) : new Uint8Array(clip.canvas.data()));
  };
  nextFrame();
}

/** Unpremultiplied colors. For opaque images `canvas.data()` returns the same in a third of the time. */
function readAll(canvas: Bitmap): ByteArray {
  return new Uint8Array(canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data);
}

function send(out: MessagePort, bytes: ByteArray): void {
  out.postMessage(bytes, [bytes.buffer]);
}

function renderEdit(request: EditRequest): { canvas: Bitmap; cut: BackgroundRemoval | null } {
  const stage = createStage(request);
  const { canvas, ctx } = bitmap(request.width_px, request.height_px);
  const cut = request.cutout ? removeBackground(request.base) : null;
  const look = request.cutout ? { ...request.look, vignette: 0, grain: 0 } : request.look;
  paintLook(ctx, request.base, look);
  ctx.scale(stage.scale, stage.scale);
  if (!request.cutout) for (const plane of weatherPlanes(stage)) paintPlane(ctx, plane);
  for (const plane of printPlanes(stage, request.prints, hangPrints(stage, request.prints, 'along the foot')))
    paintPlane(ctx, plane);
  return { canvas, cut };
}
