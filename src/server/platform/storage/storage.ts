import type { Readable } from 'node:stream';

/** Stores media by key. Every implementation passes `storage-conformance.ts`. */
export interface Storage {
  /**
   * Stores an object durably, completely or not at all, replacing one with the same key.
   * @param source a stream, or a complete file, which must not be modified afterwards
   * @throws {StorageError} `unavailable`; what the stream throws; the signal's reason when aborted
   */
  put(
    key: string,
    source: AsyncIterable<Uint8Array> | { file: string },
    options?: { signal?: AbortSignal | undefined },
  ): Promise<WrittenObject>;
  /** Both ends are inclusive. Consume or destroy the stream. @throws {StorageError} `not_found`, `unavailable` */
  read(key: string, range?: ByteRange): Promise<Readable>;
  /** @returns null for a missing object @throws {StorageError} `unavailable` */
  stat(key: string): Promise<ObjectStat | null>;
  /** Does nothing for a missing object. @throws {StorageError} `unavailable` */
  delete(key: string): Promise<void>;
  /** Lists every object in no order. @throws {StorageError} `unavailable` */
  list(): AsyncIterable<ObjectStat & { key: string }>;
  /** Read-only; may share its bytes with the store. @throws {StorageError} `not_found`, `unavailable` */
  copyToFile(key: string, file: string, options?: { signal?: AbortSignal | undefined }): Promise<void>;
  /** Removes remains of interrupted puts from before the given time. */
  removeLeftovers(before: Date): Promise<number>;
  /** Resolves when objects can be written. @throws {StorageError} `unavailable` */
  check(): Promise<void>;
  /** Free disk space; absent for stores without such a limit. @throws {StorageError} `unavailable` */
  freeBytes?(): Promise<number>;
  /** Returns a direct link to the store; absent when the service delivers objects itself. */
  link?(key: string, options: LinkOptions): Promise<string>;
}

export interface LinkOptions {
  mime_type: string;
  disposition: string;
  signed_at: Date;
  /** At most 7 days after it is signed. */
  expires_at: Date;
}

export interface WrittenObject {
  size_bytes: number;
  sha256: string;
}

export interface ByteRange {
  start?: number | undefined;
  end?: number | undefined;
}

export interface ObjectStat {
  size_bytes: number;
  modified_at: Date;
}

/**
 * - `unavailable`: full, missing or not responding; retrying may succeed.
 * - `invalid_key`: a bug; see `assertStorageKey`.
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

/** Keys never come from user input: lower-case parts separated by slashes. @throws {StorageError} `invalid_key` */
export function assertStorageKey(key: string): void {
  if (isStorageKey(key)) return;
  throw new StorageError('invalid_key', `Not a storage key: ${JSON.stringify(key.slice(0, MAX_KEY_LENGTH))}`);
}
