import { createHash } from 'node:crypto';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { pack } from 'tar-stream';

const compress = promisify(gzip);
/** Higher levels take several times as long for a few percent. */
const LEVEL = 4;

type Entries = Record<string, { size_bytes: number; sha256: string }>;

export interface ArchiveWriter {
  /** Size and hash of each entry, except those of `addStream`. */
  readonly entries: Entries;
  addJson(name: string, value: unknown): Promise<void>;
  addCompressed(name: string, text: string): Promise<void>;
  /** Adds a file of known size. @returns its hash */
  addStream(name: string, size_bytes: number, content: Readable): Promise<string>;
  close(): Promise<void>;
}

/** Writes a tar archive as a stream. @param signal aborted when `out` is closed early */
export function openArchive(out: Writable, signal: AbortSignal): ArchiveWriter {
  const archive = pack();
  const entries: Entries = {};
  const written = pipeline(archive, out, { signal });
  // Reported by `close`, or by the entry that was being written.
  written.catch((error: unknown) => archive.destroy(error instanceof Error ? error : undefined));

  async function add(name: string, size: number, content: Readable): Promise<string> {
    const hash = createHash('sha256');
    const entry = archive.entry({ name, size, mode: 0o600 });
    content.on('data', (bytes: Buffer) => hash.update(bytes));
    await pipeline(content, entry, { signal });
    return hash.digest('hex');
  }
  async function addBuffer(name: string, bytes: Buffer): Promise<void> {
    entries[name] = {
      size_bytes: bytes.length,
      sha256: await add(name, bytes.length, Readable.from([bytes], { objectMode: false })),
    };
  }
  return {
    entries,
    addJson: (name, value) => addBuffer(name, Buffer.from(`${JSON.stringify(value, null, 2)}\n`)),
    addCompressed: async (name, text) => addBuffer(name, await compress(text, { level: LEVEL })),
    addStream: add,
    async close() {
      archive.finalize();
      await written;
    },
  };
}
