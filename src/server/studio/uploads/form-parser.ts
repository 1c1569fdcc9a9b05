import { Busboy, type BusboyFileStream, type BusboyInstance } from '@fastify/busboy';
import { invalidUploadError } from './upload-errors.ts';

/** A part with this name is a file even without a file name. */
export const FILE_FIELD = 'file';
const MAX_FIELD_BYTES = 65_536;
const MAX_NAME_LENGTH = 200;
const MAX_PARTS = 100;
/** Parts are consumed at once, and a part that the library skips while it is paused would never end. */
const NEVER_PAUSE = Number.MAX_SAFE_INTEGER;

/** Takes the bytes of a file, in order. */
export type FileSink = (chunk: Buffer) => void;

/** What to do with the parts of a form. An error that they throw ends the form; none is called after that. */
export interface FormHandlers {
  /** Without it, texts are ignored. */
  onField?(name: string, value: string): void;
  /** @returns null to ignore the file */
  onFile(name: string, filename: string | null): FileSink | null;
}

export interface FormParser {
  /** @throws {ApiError} `invalid_media_upload` for a damaged form; what a handler threw */
  write(chunk: Buffer): Promise<void>;
  /** @throws {ApiError} if the form is incomplete */
  end(): Promise<void>;
}

/**
 * Parses `multipart/form-data` chunk by chunk. The only user of busboy, whose events come outside of any promise and name
 * parts that may have no name: handlers get checked values, and what they throw is the result of `write` or `end`.
 * @throws {ApiError} 400 `invalid_media_upload`
 */
export function openFormParser(
  contentType: string,
  handlers: FormHandlers,
  { fieldBytes = MAX_FIELD_BYTES } = {},
): FormParser {
  const parser = createParser(contentType, fieldBytes);
  const { promise: finished, resolve, reject } = Promise.withResolvers<void>();
  finished.catch(() => undefined);
  let failure: unknown;
  const fail = (error: unknown): void => {
    failure ??= error;
    reject(failure);
  };
  /** The library found it damaged, or failed on it. */
  const failDamaged = (cause: unknown) =>
    fail(invalidUploadError('The form is damaged or incomplete. Send the file again.', cause));
  const attempt = (work: () => void): void => {
    try {
      work();
    } catch (error) {
      failDamaged(error);
    }
  };
  const check = () => {
    if (failure !== undefined) throw failure;
  };
  /** Also of an event after the failure: the library goes on with what it has read. */
  const guard =
    <A extends unknown[]>(handle: (...args: A) => void) =>
    (...args: A): void => {
      if (failure !== undefined) return;
      try {
        handle(...args);
      } catch (error) {
        fail(error);
      }
    };
  const readField = guard((name: string | undefined, value: string) => {
    const checked = checkName(name);
    handlers.onField?.(checked, value);
  });
  const openFile = guard((name: string | undefined, stream: BusboyFileStream, filename: string | undefined) => {
    const sink = handlers.onFile(checkName(name), filename ?? null);
    // Consumed at once: `receiveBody` applies the backpressure.
    if (sink) stream.on('data', guard(sink));
  });
  parser
    .once('finish', resolve)
    .on('error', failDamaged)
    .on('partsLimit', () => fail(invalidUploadError('The form has too many parts.')))
    .on('field', readField)
    .on('file', (name, stream, filename) => {
      stream.on('error', failDamaged);
      openFile(name, stream, filename);
      stream.resume();
    });
  return {
    async write(chunk) {
      check();
      const written = new Promise<void>((done) => attempt(() => void parser.write(chunk, () => done())));
      await Promise.race([finished, written]);
      check();
    },
    async end() {
      check();
      attempt(() => void parser.end());
      await finished;
      check();
    },
  };
}

/** @throws {ApiError} for a part that no handler could tell from others */
function checkName(name: string | undefined): string {
  if (name === undefined || name === '') throw invalidUploadError('Each part of the form must have a name.');
  if (name.length > MAX_NAME_LENGTH)
    throw invalidUploadError(`The name of a part of the form is longer than ${MAX_NAME_LENGTH} characters.`);
  return name;
}

function createParser(contentType: string, fieldSize: number): BusboyInstance {
  if (!/^multipart\/form-data\s*;/i.test(contentType))
    throw invalidUploadError('Send the file as multipart/form-data.');
  try {
    return new Busboy({
      headers: { 'content-type': contentType },
      limits: { parts: MAX_PARTS, fieldSize },
      fileHwm: NEVER_PAUSE,
      isPartAFile: (name, type, filename) =>
        name === FILE_FIELD || filename !== undefined || type === 'application/octet-stream',
    });
  } catch (error) {
    throw invalidUploadError('The form can’t be read because its boundary is missing.', error);
  }
}
