import { createHash, type Hash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { receiveBody } from '#server/platform/core/receive-body.ts';
import { throwUnavailable } from '#server/platform/storage/storage.ts';
import { FILE_FIELD as FIELD, type FormParser, openFormParser } from './form-parser.ts';
import {
  invalidUploadError,
  receiveLimits,
  toReceiveError,
  type UploadLimits,
  uploadTooLargeError,
} from './upload-errors.ts';

interface ReceivedFile {
  filename: string | null;
  sha256: string;
  /** null: the form has none, or it is empty. */
  manifest: Buffer | null;
}

/** A small file beside the other, which is read into memory. */
interface ManifestField {
  field: string;
  maxBytes: number;
}

/** Allowance for the rest of the form. */
const FORM_BYTES = 1_048_576;

/**
 * Streams the field `file` of a form into a new file. Spec: Endpoints; Decision: Uploads
 * @param checkSpace is called with the length of each chunk before it is written; an error aborts the upload
 * @throws {ApiError} 400, 408 `media_upload_timeout`, 413 `media_upload_too_large`; {StorageError} `unavailable`
 */
export async function receiveFile(
  incoming: IncomingMessage,
  target: string,
  limits: UploadLimits,
  checkSpace: (bytes: number) => Promise<void>,
  manifest?: ManifestField,
): Promise<ReceivedFile> {
  const maxBodyBytes = limits.maxUploadBytes + FORM_BYTES + (manifest?.maxBytes ?? 0);
  if (Number(incoming.headers['content-length'] ?? 0) > maxBodyBytes) throw uploadTooLargeError(limits);
  const form = readForm(incoming.headers['content-type'] ?? '', manifest);
  const handle = await open(target, 'wx').catch(throwUnavailable);
  const hash = createHash('sha256');
  try {
    await receiveInto(incoming, form, { handle, hash, checkSpace }, { ...limits, maxBodyBytes });
  } finally {
    await handle.close();
  }
  if (form.filename === undefined) throw invalidUploadError(`Send the file as the form field “${FIELD}”.`);
  const received = Buffer.concat(form.manifestChunks);
  return {
    filename: displayFileName(form.filename),
    sha256: hash.digest('hex'),
    manifest: received.length === 0 ? null : received,
  };
}

async function receiveInto(
  incoming: IncomingMessage,
  form: Form,
  { handle, hash, checkSpace }: { handle: FileHandle; hash: Hash; checkSpace: (bytes: number) => Promise<void> },
  limits: UploadLimits & { maxBodyBytes: number },
): Promise<void> {
  let fileBytes = 0;
  let bodyBytes = 0;
  const store = async (): Promise<void> => {
    for (const chunk of form.takeChunks()) {
      fileBytes += chunk.length;
      if (fileBytes > limits.maxUploadBytes) throw uploadTooLargeError(limits);
      await checkSpace(chunk.length);
      hash.update(chunk);
      await handle.appendFile(chunk).catch(throwUnavailable);
    }
  };
  const handleChunk = async (chunk: Buffer): Promise<void> => {
    bodyBytes += chunk.length;
    if (bodyBytes > limits.maxBodyBytes) throw uploadTooLargeError(limits);
    await form.write(chunk);
    await store();
  };
  await receiveBody(incoming, handleChunk, receiveLimits(limits)).catch((error: unknown) => {
    throw toReceiveError(error);
  });
  await form.end();
  await store();
}

interface Form extends FormParser {
  /** undefined until the file begins; null if it has no name. */
  filename: string | null | undefined;
  takeChunks(): Buffer[];
  readonly manifestChunks: readonly Buffer[];
}

function readForm(contentType: string, manifest: ManifestField | undefined): Form {
  let chunks: Buffer[] = [];
  const manifestChunks: Buffer[] = [];
  let manifestBytes = 0;
  const readManifest = (chunk: Buffer, maxBytes: number): void => {
    manifestBytes += chunk.length;
    if (manifestBytes > maxBytes)
      throw invalidUploadError(`The manifest is larger than ${maxBytes.toLocaleString('en-US')} bytes.`);
    manifestChunks.push(chunk);
  };
  const parser = openFormParser(contentType, {
    onFile(name, filename) {
      if (name === manifest?.field) return (chunk) => readManifest(chunk, manifest.maxBytes);
      if (name !== FIELD) return null;
      if (form.filename !== undefined) throw invalidUploadError('Send one file per request.');
      form.filename = filename;
      return (chunk) => chunks.push(chunk);
    },
  });
  const form: Form = {
    ...parser,
    filename: undefined,
    manifestChunks,
    takeChunks() {
      const received = chunks;
      chunks = [];
      return received;
    },
  };
  return form;
}

const MAX_LENGTH = 255;

/** The client's file name as display text without its path; null if nothing is left of it. */
export function displayFileName(name: string | null): string | null {
  const last = (name ?? '').split(/[/\\]/).at(-1) ?? '';
  const plain = last.replaceAll(/\p{Cc}/gu, '').toWellFormed();
  const displayName = [...plain].slice(0, MAX_LENGTH).join('').trim();
  return displayName === '' || displayName === '.' || displayName === '..' ? null : displayName;
}
