import { createHash, type Hash, randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, open, rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import type { EndpointSpec } from '#contract/api/endpoint.ts';
import { bodyTooLargeError, parseJsonBody, readJsonBody } from '#server/http/read-json-body.ts';
import { unreadableRequestError } from '#server/http/errors.ts';
import { ApiError } from '#server/platform/core/api-error.ts';
import type { Caller } from '#server/platform/core/caller.ts';
import { receiveBody, ReceiveError } from '#server/platform/core/receive-body.ts';
import { throwUnavailable } from '#server/platform/storage/storage.ts';
import { receiveLimits } from '#server/studio/uploads/upload-errors.ts';
import { assertUploadSpace, uploadFolder, watchUploadSpace } from '#server/studio/uploads/upload-folder.ts';
import type { CompatDeps } from './compat-adapter.ts';
import { JsonFiles, markOf } from './json-files.ts';
import { createJsonSplitter, type JsonPart } from './split-json.ts';

/** With its files, which are data URIs. */
const MAX_BYTES = 16_777_216;
const MAX_FILES = 100;

export interface ReceivedJson {
  /** Undefined if there is none. */
  body: unknown;
  /** Remove them when the request is done. */
  files: JsonFiles;
}

/**
 * Receives JSON. A body that may be larger than `MAX_JSON_BYTES` counts as an upload: its files go to temporary files as
 * they arrive, so that no more than the rest is ever in memory, and the rest is refused as soon as it is too large.
 * @throws {ApiError} 400; 413; 422; 429; 503
 */
export async function receiveJson(
  deps: CompatDeps,
  spec: EndpointSpec,
  incoming: IncomingMessage,
  caller: Caller,
): Promise<ReceivedJson> {
  const { config, openUploads } = deps;
  const files = new JsonFiles();
  const declared = incoming.headers['content-length'];
  const bytes = declared === undefined ? null : Number(declared);
  if (bytes !== null && bytes <= config.maxJsonBytes)
    return { body: await readJsonBody(incoming, spec, config.maxJsonBytes), files };
  if ((bytes ?? 0) > MAX_BYTES) throw bodyTooLargeError(spec, MAX_BYTES);
  return openUploads.receive(caller, bytes, async () => {
    await mkdir(uploadFolder(config), { recursive: true }).catch(throwUnavailable);
    await assertUploadSpace(deps, uploadFolder(config), bytes ?? 0);
    try {
      return { body: parseJsonBody(incoming, spec, await receiveText(deps, spec, incoming, files)), files };
    } catch (error) {
      await files.remove();
      throw error;
    }
  });
}

/** @returns the JSON, with marks in place of files */
async function receiveText(
  deps: CompatDeps,
  spec: EndpointSpec,
  incoming: IncomingMessage,
  files: JsonFiles,
): Promise<Buffer> {
  const { config } = deps;
  const checkSpace = watchUploadSpace(deps, uploadFolder(config));
  const splitter = createJsonSplitter();
  const text: Buffer[] = [];
  let textBytes = 0;
  let totalBytes = 0;
  let writer: FileWriter | null = null;
  const addText = (bytes: Buffer): void => {
    textBytes += bytes.length;
    if (textBytes > config.maxJsonBytes) throw textTooLargeError(config.maxJsonBytes);
    // A copy, because a part of a chunk keeps all of it.
    text.push(Buffer.from(bytes));
  };
  const handle = async (part: JsonPart): Promise<void> => {
    if (part.kind === 'text') return addText(part.bytes);
    if (part.kind === 'content') {
      if (files.size >= MAX_FILES) throw tooManyFilesError();
      writer ??= await openWriter(join(uploadFolder(config), randomUUID()));
      return writer.append(part.base64);
    }
    const file = await writer?.finish();
    writer = null;
    if (!file) return;
    await files.add(file);
    addText(Buffer.from(markOf(file.sha256)));
  };
  const handleChunk = async (chunk: Buffer): Promise<void> => {
    totalBytes += chunk.length;
    if (totalBytes > MAX_BYTES) throw bodyTooLargeError(spec, MAX_BYTES);
    await checkSpace(chunk.length);
    for (const part of splitter.push(chunk)) await handle(part);
  };
  let handling = Promise.resolve();
  const onChunk = (chunk: Buffer): Promise<void> => (handling = handleChunk(chunk));
  try {
    await receiveBody(incoming, onChunk, receiveLimits(config));
  } catch (error) {
    // The client may leave while a chunk is being written.
    await handling.catch(() => undefined);
    await closeWriter(writer);
    if (error instanceof ReceiveError) throw unreadableRequestError(spec, 'The body did not arrive completely.', error);
    throw error;
  }
  await closeWriter(writer);
  return Buffer.concat(text);
}

const textTooLargeError = (maxBytes: number): ApiError =>
  new ApiError('invalid_request', `The body is larger than ${maxBytes.toLocaleString('en-US')} bytes without files.`, {
    status: 413,
  });

const tooManyFilesError = (): ApiError =>
  new ApiError('invalid_request', `The body has more than ${MAX_FILES} files.`, { status: 422 });

interface FileWriter {
  append(base64: string): Promise<void>;
  finish(): Promise<{ file: string; bytes: number; sha256: string }>;
  discard(): Promise<void>;
}

/** Of a file whose content has not arrived completely. */
const closeWriter = async (writer: FileWriter | null): Promise<void> => writer?.discard();

const BASE64_GROUP = 4;

async function openWriter(file: string): Promise<FileWriter> {
  const handle: FileHandle = await open(file, 'wx').catch(throwUnavailable);
  const hash: Hash = createHash('sha256');
  let rest = '';
  let bytes = 0;
  const write = async (content: Buffer): Promise<void> => {
    bytes += content.length;
    hash.update(content);
    await handle.appendFile(content).catch(throwUnavailable);
  };
  return {
    async append(base64) {
      const text = rest + base64;
      const whole = text.length - (text.length % BASE64_GROUP);
      rest = text.slice(whole);
      await write(Buffer.from(text.slice(0, whole), 'base64'));
    },
    async finish() {
      await write(Buffer.from(rest, 'base64'));
      await handle.close();
      return { file, bytes, sha256: hash.digest('hex') };
    },
    async discard() {
      await handle.close();
      await rm(file, { force: true });
    },
  };
}
