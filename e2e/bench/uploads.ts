import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Service, startService } from '../support/service.ts';
import { memoryGrowth, servicePid } from './memory.ts';

const SIZE_BYTES = 1_000_000_000;
const CHUNK_BYTES = 64 * 1024 * 1024;
const MIB = 1024 * 1024;

export interface UploadMemory {
  name: string;
  grownMib: number;
  mibPerSecond: number;
}

/**
 * Measures how much the memory of the service grows while it receives a video of 1 GB, as one form and in chunks by
 * tus.
 */
export async function measureUploads(): Promise<UploadMemory[]> {
  const dir = await mkdtemp(path.join(tmpdir(), 'emulsion-bench-'));
  const service = await startService({ MAX_UPLOAD_BYTES: String(2 * SIZE_BYTES) });
  try {
    const clip = await makeClip(path.join(dir, 'clip.mp4'));
    await sendForm(service, clip, 0);
    const measured: UploadMemory[] = [];
    for (const [name, send, mark] of [
      ['form', sendForm, 1],
      ['tus', sendTus, 2],
    ] as const) {
      measured.push({ name, ...(await measureMemory(() => send(service, clip, mark))) });
    }
    return measured;
  } finally {
    await service.stop();
    await rm(dir, { recursive: true });
  }
}

async function makeClip(file: string): Promise<Buffer> {
  const words = '-v error -y -f lavfi -i testsrc2=size=320x180:rate=10:duration=2 -c:v libx264 -pix_fmt yuv420p';
  execFileSync('ffmpeg', [...words.split(' '), file]);
  return readFile(file);
}

/** The clip, followed by a box of zeros that players skip. Another mark makes another file. */
function* uploadBytes(clip: Buffer, mark: number): Generator<Buffer> {
  const filling = Buffer.alloc(MIB);
  const head = Buffer.alloc(9);
  head.writeUInt32BE(SIZE_BYTES - clip.length);
  head.write('free', 4, 'latin1');
  head[8] = mark;
  yield clip;
  yield head;
  for (let left = SIZE_BYTES - clip.length - head.length; left > 0; left -= filling.length) {
    yield left < filling.length ? filling.subarray(0, left) : filling;
  }
}

type SendUpload = (service: Service, clip: Buffer, mark: number) => Promise<void>;

const BOUNDARY = 'bench';

/** Mark 0 sends the clip alone and warms up every part. */
const sendForm: SendUpload = async (service, clip, mark) => {
  const head = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="a.mp4"\r\n\r\n`;
  const body = function* () {
    yield Buffer.from(head);
    yield* mark === 0 ? [clip] : uploadBytes(clip, mark);
    yield Buffer.from(`\r\n--${BOUNDARY}--\r\n`);
  };
  const headers = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` };
  await send(service, { method: 'POST', pathname: '/v1/uploads', headers, body: body(), expected: 201 });
};

const sendTus: SendUpload = async (service, clip, mark) => {
  const tus = { 'tus-resumable': '1.0.0' };
  const begun = await fetch(`${service.url}/v1/uploads/resumable`, {
    method: 'POST',
    headers: { ...tus, authorization: `Bearer ${service.key}`, 'upload-length': String(SIZE_BYTES) },
  });
  const pathname = begun.headers.get('location') ?? '';
  let offset = 0;
  let piece: Buffer[] = [];
  const flush = async () => {
    const length = piece.reduce((sum, bytes) => sum + bytes.length, 0);
    if (length === 0) return;
    const headers = { ...tus, 'content-type': 'application/offset+octet-stream', 'upload-offset': offset };
    const body = piece;
    piece = [];
    await send(service, {
      method: 'PATCH',
      pathname,
      headers: { ...headers, 'content-length': length },
      body,
      expected: 204,
    });
    offset += length;
  };
  let held = 0;
  for (const bytes of uploadBytes(clip, mark)) {
    piece.push(bytes);
    held += bytes.length;
    if (held < CHUNK_BYTES) continue;
    await flush();
    held = 0;
  }
  await flush();
};

interface UploadRequest {
  method: string;
  pathname: string;
  headers: Record<string, string | number>;
  body: Iterable<Buffer>;
  expected: number;
}

async function send(service: Service, { method, pathname, headers, body, expected }: UploadRequest): Promise<void> {
  const outgoing = request(service.url + pathname, {
    method,
    headers: { ...headers, authorization: `Bearer ${service.key}` },
  });
  const answered = new Promise<number>((resolve, reject) => {
    outgoing.on('error', reject).on('response', (incoming) => {
      incoming.resume();
      resolve(incoming.statusCode ?? 0);
    });
  });
  await pipeline(Readable.from(body), outgoing);
  const status = await answered;
  if (status !== expected) throw new Error(`${method} ${pathname}: ${status}`);
}

async function measureMemory(work: () => Promise<void>): Promise<Omit<UploadMemory, 'name'>> {
  const began = performance.now();
  const grownMib = await memoryGrowth(await servicePid(), work);
  return { grownMib, mibPerSecond: SIZE_BYTES / MIB / ((performance.now() - began) / 1_000) };
}
