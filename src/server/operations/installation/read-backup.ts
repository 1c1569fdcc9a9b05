import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { extract } from 'tar-stream';
import * as z from 'zod/mini';
import type { TableChunk } from '#server/platform/db/rows/read-tables.ts';
import {
  BACKUP_FORMAT,
  BackupError,
  BackupHeader,
  BackupManifest,
  HEADER_ENTRY,
  MANIFEST_ENTRY,
  MediaLine,
  objectEntry,
} from './backup-manifest.ts';

const decompress = promisify(gunzip);
/** Parts have a few megabytes; only a single very long row makes one larger. */
const MAX_PART_BYTES = 536_870_912;

interface ArchiveEntry {
  name: string;
  size_bytes: number;
  content: AsyncIterable<Uint8Array>;
}

async function* bytesOf(file: string, entry: AsyncIterable<unknown>): AsyncGenerator<Uint8Array> {
  try {
    // The types of the library leave open what its streams contain.
    for await (const bytes of entry) yield bytes as Uint8Array;
  } catch (cause) {
    throw incompleteError(file, cause);
  }
}

const incompleteError = (file: string, cause: unknown): BackupError =>
  new BackupError(`${file} is not a complete backup: ${cause instanceof Error ? cause.message : 'unknown error'}.`, {
    cause,
  });

/** Reads the entries of an archive. Each content is consumed before the next. @throws {BackupError} not an archive */
async function* readEntries(file: string): AsyncGenerator<ArchiveEntry> {
  const archive = extract();
  const source = createReadStream(file);
  source.on('error', (error) => archive.destroy(error));
  source.pipe(archive);
  const entries = archive[Symbol.asyncIterator]();
  const next = () => entries.next().catch((cause: unknown) => Promise.reject(incompleteError(file, cause)));
  try {
    for (let { done, value: entry } = await next(); !done; { done, value: entry } = await next()) {
      yield { name: entry.header.name, size_bytes: entry.header.size, content: bytesOf(file, entry) };
      entry.resume();
    }
  } finally {
    source.destroy();
    archive.destroy();
  }
}

/**
 * Reads a backup to its end and compares every entry with the manifest and the lists of media.
 * @throws {BackupError} if it is incomplete, changed or of a newer format
 */
export async function verifyBackup(file: string): Promise<BackupManifest> {
  const seen = new Map<string, { size_bytes: number; sha256: string }>();
  let expectedObjects = new Map<string, MediaLine>();
  const damaged: string[] = [];
  let objectCount = 0;
  let manifest: BackupManifest | undefined;
  for await (const { name, size_bytes, content } of readEntries(file)) {
    if (manifest) throw new BackupError(`${file} has an entry after its manifest: ${name}.`);
    if (name.startsWith('objects/')) {
      const line = expectedObjects.get(name);
      if (!line) throw new BackupError(`${file} has an entry that no list of media names: ${name}.`);
      objectCount += 1;
      if ((await hashOf(content)) !== line.sha256) damaged.push(line.key);
      continue;
    }
    if (size_bytes > MAX_PART_BYTES) throw new BackupError(`${file} has an entry that is too large: ${name}.`);
    const bytes = await buffer(content);
    if (name === MANIFEST_ENTRY) {
      manifest = parseJson(BackupManifest, bytes, file, name);
      continue;
    }
    if (name === HEADER_ENTRY) assertFormat(parseJson(BackupHeader, bytes, file, name), file);
    else if (!seen.has(HEADER_ENTRY)) throw new BackupError(`${file} is not a backup of Emulsion.`);
    if (name.startsWith('media/'))
      expectedObjects = new Map((await readMediaList(bytes)).map((line) => [objectEntry(line.key), line]));
    seen.set(name, { size_bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') });
  }
  if (!manifest) throw new BackupError(`${file} is not a complete backup: its manifest is missing.`);
  for (const [name, { sha256 }] of Object.entries(manifest.entries))
    if (seen.get(name)?.sha256 !== sha256)
      throw new BackupError(`${file} was changed: its entry ${name} is ${seen.has(name) ? 'different' : 'missing'}.`);
  for (const name of seen.keys())
    if (!Object.hasOwn(manifest.entries, name)) throw new BackupError(`${file} was changed: ${name} was added.`);
  const { media } = manifest;
  if (media.included && objectCount + media.damaged_count < media.count)
    throw new BackupError(`${file} was changed: files of media are missing in it.`);
  const [unexpected] = damaged.filter((key) => !media.damaged.includes(key));
  if (unexpected !== undefined && damaged.length > media.damaged_count)
    throw new BackupError(`${file} was changed: its entry ${objectEntry(unexpected)} is different.`);
  return manifest;
}

function assertFormat({ format, version }: z.infer<typeof BackupHeader>, file: string): void {
  if (format > BACKUP_FORMAT)
    throw new BackupError(`${file} was written by a newer version of Emulsion (${version}): install that version.`);
}

function parseJson<T extends z.ZodMiniType>(schema: T, bytes: Buffer, file: string, name: string): z.infer<T> {
  try {
    return z.parse(schema, JSON.parse(bytes.toString('utf8')));
  } catch (cause) {
    throw new BackupError(`${file} is not a backup that this version can read: ${name} is not valid.`, { cause });
  }
}

async function hashOf(content: AsyncIterable<Uint8Array>): Promise<string> {
  const hash = createHash('sha256');
  for await (const bytes of content) hash.update(bytes);
  return hash.digest('hex');
}

async function readMediaList(bytes: Buffer): Promise<MediaLine[]> {
  const text = (await decompress(bytes, { maxOutputLength: MAX_PART_BYTES })).toString('utf8');
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => z.parse(MediaLine, JSON.parse(line)));
}

/** Reads the rows of a verified backup. */
export async function* readBackupRows(file: string, manifest: BackupManifest): AsyncGenerator<TableChunk> {
  const tables = new Map(manifest.tables.map((table) => [table.name, table]));
  for (const table of manifest.tables) if (table.rows === 0) yield { table, row_count: 0, text: '' };
  for await (const { name, content } of readEntries(file)) {
    const table = tables.get(/^tables\/(\w+)\/\d+\.copy\.gz$/.exec(name)?.[1] ?? '');
    if (table) {
      const text = (await decompress(await buffer(content), { maxOutputLength: MAX_PART_BYTES })).toString('utf8');
      yield { table, row_count: text.split('\n').length - 1, text };
    } else if (name !== HEADER_ENTRY) return;
  }
}

/** Reads the files of media in a verified backup, in the order of their lists. */
export async function* readBackupObjects(
  file: string,
): AsyncGenerator<MediaLine & { content: AsyncIterable<Uint8Array> }> {
  let lines = new Map<string, MediaLine>();
  for await (const { name, content } of readEntries(file)) {
    if (name.startsWith('media/'))
      lines = new Map((await readMediaList(await buffer(content))).map((line) => [objectEntry(line.key), line]));
    const line = name.startsWith('objects/') ? lines.get(name) : undefined;
    if (line) yield { ...line, content };
  }
}
