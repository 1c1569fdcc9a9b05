import { Busboy, type BusboyInstance } from '@fastify/busboy';
import { ApiError } from '#server/platform/core/api-error.ts';
import { invalidUploadError } from './upload-errors.ts';

/** A part with this name is a file even without a file name. */
export const FILE_FIELD = 'file';
const MAX_FIELD_BYTES = 65_536;

export interface FormParser {
  /** For its events. */
  parser: BusboyInstance;
  /** Ends the form with an error. */
  fail(error: unknown): void;
  /** @throws {ApiError} `invalid_media_upload` for a damaged form, or what `fail` got */
  write(chunk: Buffer): Promise<void>;
  /** @throws {ApiError} if the form is incomplete */
  end(): Promise<void>;
}

/** Parses `multipart/form-data` chunk by chunk. @throws {ApiError} 400 `invalid_media_upload` */
export function openFormParser(content_type: string, { fieldBytes = MAX_FIELD_BYTES } = {}): FormParser {
  const parser = createParser(content_type, fieldBytes);
  let failure: unknown;
  let fail: (error: unknown) => void = () => undefined;
  const check = () => {
    if (failure !== undefined) throw failure;
  };
  const finished = new Promise<void>((resolve, reject) => {
    fail = (error) => {
      failure ??=
        error instanceof ApiError
          ? error
          : invalidUploadError('The form is damaged or incomplete. Send the file again.', error);
      reject(failure);
    };
    parser
      .once('finish', resolve)
      .on('error', fail)
      .on('partsLimit', () => fail(invalidUploadError('The form has too many parts.')));
  });
  finished.catch(() => undefined);
  return {
    parser,
    fail,
    async write(chunk) {
      check();
      await Promise.race([finished, new Promise<void>((resolve) => void parser.write(chunk, () => resolve()))]);
      check();
    },
    async end() {
      check();
      parser.end();
      await finished;
      check();
    },
  };
}

function createParser(content_type: string, fieldSize: number): BusboyInstance {
  if (!/^multipart\/form-data\s*;/i.test(content_type))
    throw invalidUploadError('Send the file as multipart/form-data.');
  try {
    return new Busboy({
      headers: { 'content-type': content_type },
      limits: { parts: 100, fieldSize },
      isPartAFile: (name, type, filename) =>
        name === FILE_FIELD || filename !== undefined || type === 'application/octet-stream',
    });
  } catch (error) {
    throw invalidUploadError('The form can’t be read because its boundary is missing.', error);
  }
}
