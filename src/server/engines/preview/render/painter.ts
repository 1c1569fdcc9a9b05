import { parentPort, workerData, type MessagePort } from 'node:worker_threads';
import { createClip } from './clip.ts';
import type { ClipRequest, PaintRequest, SoundRequest, StillRequest } from './protocol.ts';
import { renderStill } from './still.ts';
import { composeSound } from '../sound/compose.ts';

/** The entry of a painting thread: carries out the one request it was started with. */
const port = parentPort;
if (!port) throw new Error('The painter runs in a worker thread only.');
await paint(port, workerData);

async function paint(out: MessagePort, request: PaintRequest): Promise<void> {
  if (request.kind === 'still') paintStill(out, request);
  else if (request.kind === 'clip') await paintClip(out, request);
  else paintSound(out, request);
}

function send(out: MessagePort, bytes: Uint8Array<ArrayBuffer>): void {
  out.postMessage(bytes, [bytes.buffer]);
}

function paintStill(out: MessagePort, request: StillRequest): void {
  const { data } = renderStill(request).getContext('2d').getImageData(0, 0, request.width_px, request.height_px);
  send(out, new Uint8Array(data));
}

/** Paints a frame for each message it gets, so that frames never pile up. */
async function paintClip(out: MessagePort, request: ClipRequest): Promise<void> {
  const clip = createClip(request);
  const ctx = clip.canvas.getContext('2d');
  const { promise: done, resolve } = Promise.withResolvers<void>();
  let index = 0;
  out.on('message', () => {
    if (index === request.frames) return;
    clip.paint(index);
    index += 1;
    const { data } = ctx.getImageData(0, 0, request.width_px, request.height_px);
    send(out, new Uint8Array(data));
    if (index === request.frames) resolve();
  });
  await done;
  out.removeAllListeners('message');
}

function paintSound(out: MessagePort, request: SoundRequest): void {
  send(out, composeSound(request.brief, request.duration_seconds));
}
