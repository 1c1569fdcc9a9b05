import { readdir } from 'node:fs/promises';
import { request, type ClientRequest } from 'node:http';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import type { ErrorCode } from '#contract/api/errors.ts';
import { Upload } from '#contract/resources/upload.ts';
import { findContractProblem } from '#server/app/testing/test-client.ts';
import { createTestService, type TestService, type TestServiceOptions } from '#server/app/testing/test-service.ts';
import { uploadFolder } from '#server/studio/uploads/upload-folder.ts';

export const UPLOAD_LIMIT_BYTES = 200_000;

export interface UploadResult {
  status: number;
  body: string;
  retryAfter: string | null;
}

export interface UploadFixture {
  service(): TestService;
  url(): string;
  png(): Buffer;
  /** Uses the organization's key by default. */
  send(form: FormData, key?: string): Promise<UploadResult>;
  upload(bytes: Uint8Array, filename?: string, key?: string): Promise<Upload>;
  /** A form whose body the test writes itself, after `FORM_HEAD`. */
  openForm(headers?: Record<string, string | number>): { outgoing: ClientRequest; answer: Promise<UploadResult> };
  storedKeys(): Promise<string[]>;
  listReceiving(): Promise<string[]>;
}

/** Checks after each test that no partial file is left. */
export function createUploadFixture(options: TestServiceOptions = {}): UploadFixture {
  let started: TestService | undefined;
  let url = '';
  let png: Buffer = Buffer.alloc(0);
  const service = (): TestService => {
    if (!started) throw new Error('The service of these tests is not started yet.');
    return started;
  };
  beforeAll(async () => {
    const config = { maxUploadBytes: UPLOAD_LIMIT_BYTES, uploadStallSeconds: 60, uploadTimeoutSeconds: 60 };
    started = await createTestService({
      ...options,
      config: { rateLimitPerMinute: 1_000_000, ...config, ...options.config },
    });
    url = await started.listen();
    png = await createPng(12, 8, '#357');
  });
  afterAll(() => started?.close());
  const arriving = () => readdir(uploadFolder(service().deps.config)).catch(() => []);
  afterEach(() => expect.poll(arriving).toEqual([]));

  const send = async (form: FormData, key = service().keys.organization): Promise<UploadResult> => {
    const headers = { authorization: `Bearer ${key}` };
    const response = await fetch(`${url}/v1/uploads`, { method: 'POST', body: form, headers });
    return { status: response.status, body: await response.text(), retryAfter: response.headers.get('retry-after') };
  };
  return {
    service,
    url: () => url,
    png: () => png,
    send,
    listReceiving: arriving,
    async upload(bytes, filename, key) {
      const answer = await send(createUploadForm(bytes, filename), key);
      expect([answer.status, findContractProblem('create_upload', answer.status, answer.body)]).toEqual([201, null]);
      return Upload.parse(JSON.parse(answer.body));
    },
    openForm: (headers) => openForm(url, service().keys.organization, headers),
    async storedKeys() {
      const keys: string[] = [];
      for await (const { key } of service().deps.storage.list()) keys.push(key);
      return keys.sort();
    },
  };
}

/** An image of one color; size and color decide the bytes. */
export const createPng = (width: number, height: number, background: string): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background } })
    .png()
    .toBuffer();

export function createUploadForm(bytes: Uint8Array, filename = 'picture.png', field = 'file'): FormData {
  const form = new FormData();
  form.append(field, new Blob([new Uint8Array(bytes)]), filename);
  return form;
}

/** The status and code of an error, checked against the contract. */
export function statusAndCode({ status, body, retryAfter }: UploadResult): [number, ErrorCode] {
  expect(findContractProblem('create_upload', status, body)).toBeNull();
  if (status === 429 || status === 503) expect(retryAfter).toMatch(/^\d+$/);
  return [status, readError(body).code];
}

export const readErrorMessage = ({ body }: UploadResult): string => readError(body).message;

const readError = (body: string) => (JSON.parse(body) as { error: { code: ErrorCode; message: string } }).error;

const BOUNDARY = 'xxxx';
export const FORM_HEAD = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\n\r\n`;
export const FORM_TAIL = `\r\n--${BOUNDARY}--\r\n`;

function openForm(
  url: string,
  key: string,
  headers: Record<string, string | number> = {},
): { outgoing: ClientRequest; answer: Promise<UploadResult> } {
  const outgoing = request(`${url}/v1/uploads`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': `multipart/form-data; boundary=${BOUNDARY}`,
      ...headers,
    },
  });
  const answer = new Promise<UploadResult>((resolve, reject) => {
    outgoing.on('error', reject).on('response', (incoming) => {
      const chunks: Buffer[] = [];
      incoming
        .on('data', (chunk: Buffer) => chunks.push(chunk))
        .on('end', () =>
          resolve({
            status: incoming.statusCode ?? 0,
            body: Buffer.concat(chunks).toString(),
            retryAfter: incoming.headers['retry-after'] ?? null,
          }),
        );
    });
  });
  return { outgoing, answer };
}
