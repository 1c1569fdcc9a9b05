import { readdir, stat } from 'node:fs/promises';
import { request, type ClientRequest } from 'node:http';
import { join } from 'node:path';
import { expect } from 'vitest';
import { RESUMABLE_UPLOADS_PATH } from '#contract/resources/upload.ts';
import { findContractProblem } from '#server/app/testing/test-client.ts';
import type { TestService } from '#server/app/testing/test-service.ts';
import { resumableFolder } from '#server/studio/uploads/resumable/find-resumable.ts';

export const TUS_BODY_HEADERS = { 'content-type': 'application/offset+octet-stream' };

interface TusResult {
  status: number;
  headers: Headers;
  code: string | null;
}

export interface TusFixture {
  send(
    method: string,
    path: string,
    headers?: Record<string, string | number>,
    options?: { body?: Uint8Array; key?: string },
  ): Promise<TusResult>;
  createUpload(length: number, options?: { name?: string; key?: string }): Promise<string>;
  append(path: string, offset: number, body: Uint8Array, key?: string): Promise<TusResult>;
  readOffset(path: string): Promise<number>;
  /** Sends only `bytes` of a PATCH that declares `length`. */
  sendPartially(path: string, offset: number, bytes: Uint8Array, length: number): ClientRequest;
  /** The received bytes, read from disk: a request would take over the lock from the writer. */
  receivedBytes(path: string): Promise<number>;
  listUnfinished(): Promise<string[]>;
}

export function createTusFixture(place: () => { url: string; key: string; service: TestService }): TusFixture {
  const folder = () => resumableFolder(place().service.deps.config);
  const bench: TusFixture = {
    async send(method, path, headers = {}, { body, key = place().key } = {}) {
      const headerEntries = Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]);
      const response = await fetch(place().url + path, {
        method,
        headers: [['authorization', `Bearer ${key}`], ['tus-resumable', '1.0.0'], ...headerEntries],
        ...(body ? { body: new Uint8Array(body) } : {}),
      });
      const text = await response.text();
      expect(response.headers.get('tus-resumable')).toBe('1.0.0');
      const code = text === '' ? null : readErrorCode(response.status, text);
      if ([429, 503].includes(response.status)) expect(response.headers.get('retry-after')).toMatch(/^\d+$/);
      return { status: response.status, headers: response.headers, code };
    },
    async createUpload(length, { name = 'a.png', key } = {}) {
      const headers = { 'upload-length': length, 'upload-metadata': encodeTusMetadata(name) };
      const response = await bench.send('POST', RESUMABLE_UPLOADS_PATH, headers, key === undefined ? {} : { key });
      expect(response.status).toBe(201);
      return response.headers.get('location') ?? '';
    },
    append: (path, offset, body, key) =>
      bench.send(
        'PATCH',
        path,
        { ...TUS_BODY_HEADERS, 'upload-offset': offset },
        key === undefined ? { body } : { body, key },
      ),
    readOffset: async (path) => Number((await bench.send('HEAD', path)).headers.get('upload-offset')),
    sendPartially(path, offset, bytes, length) {
      const { url, key } = place();
      const headers = {
        ...TUS_BODY_HEADERS,
        'tus-resumable': '1.0.0',
        'upload-offset': offset,
        'content-length': length,
      };
      const outgoing = request(url + path, {
        method: 'PATCH',
        headers: { ...headers, authorization: `Bearer ${key}` },
      });
      outgoing.on('error', () => undefined).write(bytes);
      return outgoing;
    },
    receivedBytes: async (path) => (await stat(join(folder(), path.split('/').at(-1) ?? ''))).size,
    listUnfinished: () => readdir(folder()).catch(() => []),
  };
  return bench;
}

export const encodeTusMetadata = (name: string) => `filename ${Buffer.from(name).toString('base64')}`;

/** Error codes that the contract of direct uploads lacks. */
const TUS_CODES = ['not_found', 'method_not_allowed', 'upload_offset_conflict', 'unsupported_tus_version'];

function readErrorCode(status: number, text: string): string {
  const { code } = (JSON.parse(text) as { error: { code: string } }).error;
  if (!TUS_CODES.includes(code)) expect(findContractProblem('create_upload', status, text)).toBeNull();
  return code;
}
