import { parentPort, workerData } from 'node:worker_threads';
import type { StillRequest } from './protocol.ts';
import { renderStill } from './still.ts';

/** The entry of a painting thread: paints the one request it was started with. */
const port = parentPort;
if (!port) throw new Error('The painter runs in a worker thread only.');

const request: StillRequest = workerData;
const canvas = renderStill(request);
const { data } = canvas.getContext('2d').getImageData(0, 0, request.width_px, request.height_px);
const rgba = new Uint8Array(data);
port.postMessage(rgba, [rgba.buffer]);
