import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import S3rver, { type S3Context } from '@20minutes/s3rver';
import signature from '@20minutes/s3rver/lib/signature/v4.js';
import type { S3Settings } from '#server/platform/core/settings/config.ts';
import { freePort } from '#server/app/testing/free-port.ts';

type Override = { status: number; code: string } | 'hang' | null;

/** An S3 server for tests, based on s3rver. Missing parts of the protocol that are needed are added here. */
export interface FakeS3Server {
  settings: S3Settings;
  /** Called before each request; its result is sent as the response, and `hang` sends nothing. */
  intercept: ((request: { method: string; url: string }) => Override | Promise<Override>) | null;
  /** Uploads in parts that were neither completed nor aborted. */
  listPendingUploads(): Promise<string[]>;
  stop(): Promise<void>;
  start(): Promise<void>;
  close(): Promise<void>;
}

const BUCKET = 'studio';
const RAW_PATH = 'x-test-raw-path';

export async function startFakeS3Server(): Promise<FakeS3Server> {
  const directory = await mkdtemp(path.join(tmpdir(), 's3-'));
  const port = await freePort();
  let running: S3rver | null = null;
  const server: FakeS3Server = {
    settings: {
      endpoint: `http://127.0.0.1:${port}`,
      region: 'eu-central-1',
      bucket: BUCKET,
      accessKey: { id: 'S3RVER', secret: 'S3RVER' },
      links: 'stream',
    },
    intercept: null,
    listPendingUploads: () => readdir(uploadsFolder(directory)).catch(() => []),
    async stop() {
      const { httpServer } = running ?? {};
      running = null;
      httpServer?.close();
      httpServer?.closeAllConnections();
      if (httpServer?.listening) await once(httpServer, 'close');
    },
    async start() {
      const options = { silent: true, vhostBuckets: false, configureBuckets: [{ name: BUCKET }] };
      running = new S3rver({ address: '127.0.0.1', port, directory, ...options });
      patchServer(running, directory, server);
      await running.run();
    },
    async close() {
      await server.stop();
      await rm(directory, { recursive: true });
    },
  };
  await server.start();
  return server;
}

const uploadsFolder = (directory: string): string => path.join(directory, BUCKET, '._S3rver_uploads');

function patchServer(app: S3rver, directory: string, server: FakeS3Server): void {
  const { store } = app;
  const getObject = store.getObject.bind(store);
  // s3rver treats the end 0 as missing; a Number object is 0 but truthy.
  store.getObject = (bucket, key, range) =>
    getObject(bucket, key, range?.end === 0 ? { ...range, end: Object(0) as number } : range);
  app.middleware.unshift(async (context, next) => {
    const { method, req } = context;
    const override = (await server.intercept?.({ method, url: req.url ?? '' })) ?? null;
    if (override === 'hang') return new Promise(() => undefined);
    if (override) return sendError(context, override.status, override.code);
    const isSigned = req.headers.authorization !== undefined || 'X-Amz-Signature' in context.query;
    if (!isSigned && method !== 'OPTIONS') return sendError(context, 403, 'AccessDenied');
    req.headers[RAW_PATH] = context.path;
    try {
      await next();
    } catch (error) {
      // Thrown after the signature was verified.
      if (!(await serveMissing(context, uploadsFolder(directory)))) throw error;
    }
  });
}

/** Serves operations that s3rver does not implement. @returns whether the request was one of them */
async function serveMissing(context: S3Context, uploads: string): Promise<boolean> {
  const { method, query } = context;
  if (method === 'DELETE' && query['uploadId'] !== undefined) {
    await rm(path.join(uploads, path.basename(query['uploadId'])), { recursive: true });
    context.status = 204;
    return true;
  }
  if (method === 'GET' && query['uploads'] !== undefined) {
    const ids = await readdir(uploads).catch(() => []);
    const listed = ids.map(async (id) => {
      const key = await readFile(path.join(uploads, id, 'key'), 'utf8');
      return `<Upload><Key>${key}</Key><UploadId>${id}</UploadId><Initiated>${new Date().toISOString()}</Initiated></Upload>`;
    });
    context.status = 200;
    context.body = xml('ListMultipartUploadsResult', (await Promise.all(listed)).join(''));
    return true;
  }
  return false;
}

function sendError(context: S3Context, status: number, code: string): void {
  context.status = status;
  context.body = xml('Error', `<Code>${code}</Code><Message>Refused by the test.</Message>`);
}

const xml = (root: string, content: string): string => `<?xml version="1.0"?><${root}>${content}</${root}>`;

// s3rver verifies bucket URLs without the slash that clients sign, and encodes too few characters of a query.
const { getStringToSign } = signature;
signature.getStringToSign = (request, credentials) => {
  const raw = request.headers[RAW_PATH] ?? '';
  const uri = raw.endsWith('/') && !request.uri.endsWith('/') ? `${request.uri}/` : request.uri;
  const querystring = request.querystring.replaceAll(
    /[!'()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return getStringToSign({ ...request, uri, querystring }, credentials);
};
