import { type FileHandle, open } from 'node:fs/promises';

const BLOCK_BYTES = 65_536;

/** Reads small pieces of a file by position, through one block in memory. */
export class ByteReader {
  readonly size_bytes: number;
  readonly #handle: FileHandle;
  #block = Buffer.alloc(0);
  #block_start = 0;

  constructor(handle: FileHandle, sizeBytes: number) {
    this.#handle = handle;
    this.size_bytes = sizeBytes;
  }

  /** At most 64 KiB; fewer bytes at the end of the file. */
  async bytes(start: number, length: number): Promise<Buffer> {
    const end = Math.min(start + length, this.size_bytes);
    if (start >= end) return Buffer.alloc(0);
    if (start < this.#block_start || end > this.#block_start + this.#block.length) await this.#load(start);
    return this.#block.subarray(start - this.#block_start, end - this.#block_start);
  }

  async #load(start: number): Promise<void> {
    const block = Buffer.alloc(Math.min(BLOCK_BYTES, this.size_bytes - start));
    const { bytesRead } = await this.#handle.read(block, 0, block.length, start);
    this.#block = block.subarray(0, bytesRead);
    this.#block_start = start;
  }
}

export async function withByteReader<T>(file: string, read: (reader: ByteReader) => Promise<T>): Promise<T> {
  const handle = await open(file, 'r');
  try {
    return await read(new ByteReader(handle, (await handle.stat()).size));
  } finally {
    await handle.close();
  }
}
