import { createHash, type Hash, randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, open, rename, rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import type { Upload } from '#contract/resources/upload.ts';
import type { Caller } from '#server/platform/core/caller.ts';
import { cutName } from '#server/platform/core/cut-text.ts';
import { receiveBody } from '#server/platform/core/receive-body.ts';
import { throwUnavailable } from '#server/platform/storage/storage.ts';
import { storeReceived, type UploadDeps } from './create-upload.ts';
import { type FormHandlers, openFormParser } from './form-parser.ts';
import { displayFileName } from './receive-file.ts';
import { invalidUploadError, receiveLimits, toReceiveError, uploadTooLargeError } from './upload-errors.ts';
import { assertUploadSpace, uploadFolder, watchUploadSpace } from './upload-folder.ts';

/** A file of a form, in a temporary place. */
export interface FormFile {
  field: string;
  filename: string | null;
  file: string;
  bytes: number;
  sha256: string;
}

export interface ReceivedForm {
  /** Texts by name, in the order of the form. */
  fields: ReadonlyMap<string, readonly string[]>;
  files: readonly FormFile[];
}

interface OpenFile extends Omit<FormFile, 'sha256'> {
  hash: Hash;
  handle: FileHandle | null;
}

/** Of texts, all of them together. */
const MAX_TEXT_BYTES = 1_048_576;

/**
 * Streams a form with several files into temporary files, which last until `use` is done. All of them together may be as
 * large as one upload. @throws {ApiError} 400 `invalid_media_upload`, 408, 413, 429, 503; what `use` throws
 */
export async function receiveForm<T>(
  deps: UploadDeps,
  caller: Caller,
  incoming: IncomingMessage,
  maxFiles: number,
  use: (form: ReceivedForm) => Promise<T>,
): Promise<T> {
  const { config, openUploads } = deps;
  const declared = incoming.headers['content-length'];
  const bytes = declared === undefined ? null : Number(declared);
  if ((bytes ?? 0) > config.maxUploadBytes + MAX_TEXT_BYTES) throw uploadTooLargeError(config);
  const files: OpenFile[] = [];
  try {
    const fields = await openUploads.receive(caller, bytes, async () => {
      await mkdir(uploadFolder(config), { recursive: true }).catch(throwUnavailable);
      await assertUploadSpace(deps, uploadFolder(config), bytes ?? 0);
      return receiveInto(deps, incoming, files, maxFiles);
    });
    return await use({ fields, files: files.map(({ hash, ...file }) => ({ ...file, sha256: hash.digest('hex') })) });
  } finally {
    for (const { file } of files) await rm(file, { force: true });
  }
}

async function receiveInto(
  deps: UploadDeps,
  incoming: IncomingMessage,
  files: OpenFile[],
  maxFiles: number,
): Promise<ReceivedForm['fields']> {
  const { config } = deps;
  const folder = uploadFolder(config);
  const checkSpace = watchUploadSpace(deps, folder);
  const fields = new Map<string, string[]>();
  let queue: { to: OpenFile; chunk: Buffer }[] = [];
  let textBytes = 0;
  const handlers: FormHandlers = {
    onField(name, value) {
      textBytes += name.length + Buffer.byteLength(value);
      if (textBytes >= MAX_TEXT_BYTES) throw invalidUploadError('The texts of the form are too long.');
      fields.set(name, [...(fields.get(name) ?? []), value]);
    },
    onFile(field, filename) {
      if (files.length >= maxFiles) throw invalidUploadError(`The form has more than ${maxFiles} files.`);
      const to: OpenFile = {
        field,
        filename: displayFileName(filename),
        file: join(folder, randomUUID()),
        bytes: 0,
        hash: createHash('sha256'),
        handle: null,
      };
      files.push(to);
      return (chunk) => queue.push({ to, chunk });
    },
  };
  const contentType = incoming.headers['content-type'] ?? '';
  const form = openFormParser(contentType, handlers, { fieldBytes: MAX_TEXT_BYTES });
  let total = 0;
  const store = async (): Promise<void> => {
    const received = queue;
    queue = [];
    for (const { to, chunk } of received) {
      total += chunk.length;
      if (total > config.maxUploadBytes) throw uploadTooLargeError(config);
      await checkSpace(chunk.length);
      to.bytes += chunk.length;
      to.hash.update(chunk);
      to.handle ??= await open(to.file, 'wx').catch(throwUnavailable);
      await to.handle.appendFile(chunk).catch(throwUnavailable);
    }
  };
  try {
    await receiveBody(
      incoming,
      async (chunk) => {
        await form.write(chunk);
        await store();
      },
      receiveLimits(config),
    ).catch((error: unknown) => {
      throw toReceiveError(error);
    });
    await form.end();
    await store();
  } finally {
    for (const { handle } of files) await handle?.close();
  }
  const empty = files.find(({ bytes }) => bytes === 0);
  if (empty) throw invalidUploadError(`The file of “${cutName(empty.field)}” is empty.`);
  return fields;
}

/** Stores a received file as an upload. @throws {ApiError} as `POST /v1/uploads` */
export const storeFormFile = (
  deps: UploadDeps,
  caller: Caller,
  { file, filename, bytes, sha256 }: Omit<FormFile, 'field'>,
  signal: AbortSignal,
): Promise<Upload> =>
  storeReceived(deps, caller, {
    bytes,
    signal,
    async receive(target) {
      await rename(file, target).catch(throwUnavailable);
      return { filename, sha256 };
    },
  });
