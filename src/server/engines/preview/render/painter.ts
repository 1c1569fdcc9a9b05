import { parentPort, workerData, type MessagePort } from 'node:worker_threads';
import { createClip } from './clip.ts';
import type { Bitmap } from '../draw/stage.ts';
import { renderEdit } from './edit.ts';
import type { Bytes, ClipRequest, Edited, EditRequest, PaintRequest } from './protocol.ts';
import { renderStill } from './still.ts';
import { composeSound } from '../sound/compose.ts';

/** The entry of a painting thread: carries out the one request it was started with. */
const port = parentPort;
if (!port) throw new Error('The painter runs in a worker thread only.');
await paint(port, workerData);

async function paint(out: MessagePort, request: PaintRequest): Promise<void> {
  switch (request.kind) {
    case 'still':
      return send(out, readAll(renderStill(request)));
    case 'edit':
      return paintEdit(out, request);
    case 'clip':
      return paintClip(out, request);
    case 'sound':
      return send(out, composeSound(request.brief, request.duration_seconds));
  }
}

function send(out: MessagePort, bytes: Bytes): void {
  out.postMessage(bytes, [bytes.buffer]);
}

function readAll(canvas: Bitmap): Bytes {
  return new Uint8Array(canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data);
}

function paintEdit(out: MessagePort, request: EditRequest): void {
  const { canvas, cut } = renderEdit(request);
  const edited: Edited = { rgba: readAll(canvas), cut };
  out.postMessage(edited, [edited.rgba.buffer]);
}

/** Paints a frame for each message it gets, so that frames never pile up. */
async function paintClip(out: MessagePort, request: ClipRequest): Promise<void> {
  const clip = createClip(request);
  const { promise: done, resolve } = Promise.withResolvers<void>();
  let index = 0;
  out.on('message', () => {
    if (index === request.frames) return;
    clip.paint(index);
    index += 1;
    send(out, readAll(clip.canvas));
    if (index === request.frames) resolve();
  });
  await done;
  out.removeAllListeners('message');
}
