import type { Readable } from 'node:stream';

/** Media storage by key. Every implementation passes `storage-conformance.ts`. */
export interface Storage {
  /**
   * Stores an object completely or not at all and resolves when it is durable. Replaces an object of the same key.
   * @param source a stream, or a complete file, which is kept and must not change afterwards
   * @throws {StorageError} `unavailable`; the error of the stream; the signal's reason when aborted
   */
  put(
    key: string,
    source: AsyncIterable<Uint8Array> | { file: string },
    options?: { signal?: AbortSignal | undefined },
  ): Promise<WrittenObject>;
  /**
   * Reads the bytes from `start` to `end`, both inclusive; all by default. Consume or destroy the stream.
   * @throws {StorageError} `not_found`, `unavailable`
   */
  read(key: string, range?: ByteRange): Promise<Readable>;
  /** Resolves with null if the object does not exist. @throws {StorageError} `unavailable` */
  stat(key: string): Promise<ObjectStat | null>;
  /** Does nothing if the object does not exist. @throws {StorageError} `unavailable` */
  delete(key: string): Promise<void>;
  /** Lists all objects in any order. @throws {StorageError} `unavailable` */
  list(): AsyncIterable<ObjectStat & { key: string }>;
  /**
   * Provides an object as a local file. Do not write to it: it may share its bytes with the store.
   * @throws {StorageError} `not_found`, `unavailable`
   */
  copyToFile(key: string, file: string, options?: { signal?: AbortSignal | undefined }): Promise<void>;
  /** Removes the leftovers of puts that were interrupted before the given time. */
  removeLeftovers(before: Date): Promise<number>;
  /** Resolves if objects can be written now. @throws {StorageError} `unavailable` */
  check(): Promise<void>;
  /** Returns the free bytes of the disk; absent for stores without a limit. @throws {StorageError} `unavailable` */
  freeBytes?(): Promise<number>;
  /** Creates a presigned link to the store; absent if this service streams objects. */
  link?(key: string, options: LinkOptions): Promise<string>;
}

export interface LinkOptions {
  mime_type: string;
  /** Value of Content-Disposition. */
  disposition: string;
  signed_at: Date;
  /** At most 7 days after signing. */
  expires_at: Date;
}

export interface WrittenObject {
  size_bytes: number;
  /** Hex. */
  sha256: string;
}

export interface ByteRange {
  start?: number | undefined;
  /** Inclusive. */
  end?: number | undefined;
}

export interface ObjectStat {
  size_bytes: number;
  modified_at: Date;
}

/**
 * - `unavailable`: the store is full, missing or does not respond; the same call may succeed later.
 * - `not_found`: no object has this key.
 * - `invalid_key`: a bug of the service; see `assertStorageKey`.
 */
export class StorageError extends Error {
  readonly code: 'unavailable' | 'not_found' | 'invalid_key';

  constructor(code: StorageError['code'], message: string, options: { cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.name = 'StorageError';
    this.code = code;
  }
}

/** @throws {StorageError} always */
export function throwUnavailable(cause: unknown): never {
  throw new StorageError('unavailable', 'Media storage is not available right now. Try again later.', { cause });
}

const MAX_KEY_LENGTH = 200;
const KEY = /^[a-z0-9][a-z0-9_-]*(\/[a-z0-9][a-z0-9_-]*)*(\.[a-z0-9]{1,8})?$/;

export const isStorageKey = (key: string): boolean => key.length <= MAX_KEY_LENGTH && KEY.test(key);

/**
 * Keys are generated, never from user input: lower-case parts separated by slashes, optionally with an extension.
 * @throws {StorageError} `invalid_key`
 */
export function assertStorageKey(key: string): void {
  if (isStorageKey(key)) return;
  throw new StorageError('invalid_key', `Not a storage key: ${JSON.stringify(key.slice(0, MAX_KEY_LENGTH))}`);
}
