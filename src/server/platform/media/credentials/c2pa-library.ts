import { closeSync, fstatSync, openSync, readFileSync, readSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { initSync } from '@contentauth/c2pa-wasm';
import { type OwnTrust, SIGNING_USAGES } from '#server/platform/credentials/signing-authority.ts';

/** A file as the library reads it: piece by piece, without a copy in memory. */
class FileBlob {
  readonly #descriptor: number;
  readonly #start: number;
  readonly #end: number;

  constructor(descriptor: number, start: number, end: number) {
    this.#descriptor = descriptor;
    this.#start = start;
    this.#end = end;
  }

  get size(): number {
    return this.#end - this.#start;
  }

  slice(start = 0, end = this.size): FileBlob {
    return new FileBlob(this.#descriptor, this.#start + start, Math.min(this.#start + end, this.#end));
  }

  read(): ArrayBuffer {
    const bytes = new Uint8Array(this.size);
    let filled = 0;
    while (filled < bytes.length) {
      const count = readSync(this.#descriptor, bytes, filled, bytes.length - filled, this.#start + filled);
      if (count === 0) break;
      filled += count;
    }
    return filled === bytes.length ? bytes.buffer : bytes.slice(0, filled).buffer;
  }
}

export async function withFile<T>(file: string, use: (blob: Blob) => Promise<T>): Promise<T> {
  const descriptor = openSync(file, 'r');
  try {
    const blob = new FileBlob(descriptor, 0, fstatSync(descriptor).size);
    // The library only asks for the size and for slices.
    return await use(blob as unknown as Blob);
  } finally {
    closeSync(descriptor);
  }
}

/** The collector lets memory outside of its heap pile up. */
export const releaseBytes = (bytes: ArrayBufferLike): void => {
  if (bytes instanceof ArrayBuffer) bytes.transfer(0);
};

/** Loads the library, which is made for the workers of browsers. */
export function loadLibrary(): void {
  Object.assign(globalThis, {
    FileReaderSync: class {
      readAsArrayBuffer(blob: FileBlob): ArrayBuffer {
        const bytes = blob.read();
        // The library copies it at once.
        queueMicrotask(() => releaseBytes(bytes));
        return bytes;
      }
    },
  });
  initSync({ module: readFileSync(fileURLToPath(import.meta.resolve('@contentauth/c2pa-wasm/c2pa.wasm'))) });
}

/** Its memory is exhausted or inconsistent, so that it can't be used again in this process. */
export const isLibraryFailure = (error: unknown): boolean => error instanceof Error && error.name === 'RuntimeError';

/** Nothing is fetched: the process has no network. */
export const librarySettings = ({ anchors }: OwnTrust): string =>
  JSON.stringify({
    trust: { trust_config: SIGNING_USAGES.join('\n'), ...(anchors === '' ? {} : { user_anchors: anchors }) },
    verify: { verify_after_sign: false, verify_trust: true, remote_manifest_fetch: false, ocsp_fetch: false },
    builder: { thumbnail: { enabled: false } },
  });

/** The format of a manifest store without a file. */
export const STORE_FORMAT = 'application/c2pa';
