import type { Readable } from 'node:stream';

/** Where media are kept, by key. Every store passes `storage-conformance.ts`. */
export interface Storage {
  /**
   * Stores an object whole or not at all, and durably before it resolves. An object of the same key is replaced.
   * @param source a stream, or a finished file, which stays where it is and must not be written to afterwards
   * @throws {StorageError} `unavailable`; whatever the stream throws; the signal's reason when aborted
   */
  put(
    key: string,
    source: AsyncIterable<Uint8Array> | { file: string },
    options?: { signal?: AbortSignal | undefined },
  ): Promise<WrittenObject>;
  /**
   * The bytes from `start` to `end`, both included; all of them by default. Consume the stream or destroy it.
   * @throws {StorageError} `not_found`, `unavailable`
   */
  read(key: string, range?: ByteRange): Promise<Readable>;
  /** null when there is no such object. @throws {StorageError} `unavailable` */
  stat(key: string): Promise<ObjectStat | null>;
  /** Does nothing when there is no such object. @throws {StorageError} `unavailable` */
  delete(key: string): Promise<void>;
  /** Every object, in no order, for the sweeper. @throws {StorageError} `unavailable` */
  list(): AsyncIterable<ObjectStat & { key: string }>;
  /**
   * Makes an object a local file, to be read only: it may share its bytes with the store.
   * @throws {StorageError} `not_found`, `unavailable`
   */
  copyToFile(key: string, file: string, options?: { signal?: AbortSignal | undefined }): Promise<void>;
  /** Removes what interrupted puts left behind before the given time. */
  removeLeftovers(before: Date): Promise<number>;
  /** Resolves when objects can be written now. @throws {StorageError} `unavailable` */
  check(): Promise<void>;
  /** What the disk of the store has free; absent where a store has no such limit. @throws {StorageError} `unavailable` */
  freeBytes?(): Promise<number>;
  /** A link to the store itself, for whoever holds it; absent where this service hands objects through. */
  link?(key: string, options: LinkOptions): Promise<string>;
}

export interface LinkOptions {
  mime_type: string;
  /** Content-Disposition. */
  disposition: string;
  signed_at: Date;
  /** At most 7 days after it is signed. */
  expires_at: Date;
}

export interface WrittenObject {
  size_bytes: number;
  /** Hex. */
  sha256: string;
}

export interface ByteRange {
  start?: number | undefined;
  /** Included. */
  end?: number | undefined;
}

export interface ObjectStat {
  size_bytes: number;
  modified_at: Date;
}

/**
 * - `unavailable`: the store is full, gone or not answering; the same call may work later.
 * - `not_found`: no object has this key.
 * - `invalid_key`: a fault of ours; see `assertStorageKey`.
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
 * Keys are made by us, never of a user's words: lower-case parts split by slashes, then perhaps an extension.
 * @throws {StorageError} `invalid_key`
 */
export function assertStorageKey(key: string): void {
  if (isStorageKey(key)) return;
  throw new StorageError('invalid_key', `Not a storage key: ${JSON.stringify(key.slice(0, MAX_KEY_LENGTH))}`);
}
