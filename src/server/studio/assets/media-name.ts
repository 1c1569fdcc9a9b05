import { trimEnd } from '#contract/trim-end.ts';
import { TASKS } from '#contract/catalog.ts';
import type { TaskId } from '#contract/ids.ts';
import type { MediaKind, TaskContract } from '#contract/task.ts';
import { stripExtension, stripInvisibleCharacters } from '#server/platform/core/file-names.ts';

export interface NamedMedia extends MediaSourceName {
  type: MediaKind;
  created_at: Date;
  /** Of an upload, or given by a person. */
  filename: string | null;
  /** null: an upload. */
  generation: { task: TaskId; prompt: string | null } | null;
}

/** What names a file that was made from another one, or that a batch named. */
export interface MediaSourceName {
  /** What people called the source; null: nothing but its prompt names a file. */
  source_name: string | null;
  source_id: string | null;
  /** Above 1: other sources have the same name. */
  source_number: number;
  /** What was done to the source, each once. */
  edits: string[];
}

export const NO_SOURCE: MediaSourceName = { source_name: null, source_id: null, source_number: 1, edits: [] };

/** What a task does to the media item that names its outputs; undefined for tasks that are named by their prompt. */
export function findNamedBy(task: TaskId): TaskContract['named_by'] {
  const { named_by }: TaskContract = TASKS[task];
  return named_by;
}

/** "A red fox – trimmed, lip sync". null: it has no name but its task or type. Decision: Names of media */
export function mediaName(medium: NamedMedia): string | null {
  const { filename, generation } = medium;
  if (!generation) return filename;
  if (filename !== null) return stripExtension(filename);
  return derivedName(medium) ?? (generation.prompt?.trim() || null);
}

/** The source is cut where the name would be too long for a file, never what was done. */
function derivedName({ source_name, source_number, edits }: NamedMedia): string | null {
  if (source_name === null) return null;
  const number = source_number > 1 ? ` (${source_number})` : '';
  const done = edits.length > 0 ? ` – ${edits.join(', ')}` : '';
  const maxBytes = MAX_NAME_BYTES - Buffer.byteLength(number + done);
  return `${truncateName(source_name, MAX_NAME_CHARACTERS, maxBytes).trim()}${number}${done}`;
}

/** As a source: what people called it, and what was done since. null: it has no name. */
export function toSource(medium: NamedMedia & { id: string }): MediaSourceName | null {
  const { id, filename, source_name, source_id, source_number, edits } = medium;
  if (filename === null && source_name !== null && source_id !== null)
    return { source_name, source_id, source_number, edits };
  return nameSource(stripExtension(filename ?? '') || source_name || medium.generation?.prompt || '', id);
}

/** The number of a new source is counted when the first file that is made from it is stored. */
export function nameSource(name: string, sourceId: string): MediaSourceName | null {
  const sourceName = truncateName(sanitizeName(name), MAX_SOURCE_NAME_CHARACTERS).trim();
  return sourceName === '' ? null : { source_name: sourceName, source_id: sourceId, source_number: 0, edits: [] };
}

/** Adds what a task did for an output. What was done before, such as another scene, is replaced. */
export function addEdit(edits: readonly string[], task: TaskId, position: number): string[] {
  const { edit, is_numbered } = findNamedBy(task) ?? {};
  if (edit === undefined) return [...edits];
  const others = edits.filter((each) => each !== edit && !each.startsWith(`${edit} `));
  return [...others, is_numbered ? `${edit} ${position + 1}` : edit];
}

const MAX_SOURCE_NAME_CHARACTERS = 60;

/** The name of its file without the extension, valid on every system: "2026-11-24 A red fox – trimmed". */
export function mediaFileStem(medium: NamedMedia): string {
  const { filename, generation, type, created_at } = medium;
  const givenName = stripExtension(filename ?? '') || (medium.edits.length === 0 ? derivedName(medium) : '');
  if (givenName || !generation) return sanitizeName(givenName ?? '') || type;
  const words = derivedName(medium) ?? sanitizeName(generation.prompt ?? '');
  return `${created_at.toISOString().slice(0, 10)} ${words || sanitizeName(TASKS[generation.task].name)}`;
}

const MAX_NAME_CHARACTERS = 80;
/** File systems allow 255 bytes; the extension, a date and a number need the rest. */
const MAX_NAME_BYTES = 200;
const RESERVED_NAME_PATTERN = /^(?:con|prn|aux|nul|com\d|lpt\d)$/i;

export function sanitizeName(text: string): string {
  const words = visibleWords(text)
    .replaceAll(/[<>:"/\\|?*]+/g, ' ')
    .replaceAll(/ +/g, ' ')
    .replace(/^[-. ]+/, '');
  const short = trimEnd(truncateName(words, MAX_NAME_CHARACTERS), '. ');
  return RESERVED_NAME_PATTERN.test(short) ? `${short}_` : short;
}

const visibleWords = (text: string): string =>
  stripInvisibleCharacters(text.toWellFormed().normalize('NFC').replaceAll(/\s+/gu, ' '));

/** A name that a person gave, in the form of a file name. null: nothing visible is left. 'too_long': it would be cut. */
export function toGivenName(text: string, extension: string): string | 'too_long' | null {
  const typed = visibleWords(text).trim();
  const stem = typed.toLowerCase().endsWith(extension) ? typed.slice(0, -extension.length) : typed;
  if (truncateName(stem, MAX_NAME_CHARACTERS) !== stem) return 'too_long';
  return sanitizeName(stem) || null;
}

/** Cuts at a space if there is one in the second half. */
function truncateName(text: string, maxCharacters: number, maxBytes = MAX_NAME_BYTES): string {
  const characters = [...text];
  while (Buffer.byteLength(characters.join('')) > maxBytes || characters.length > maxCharacters) characters.pop();
  const short = characters.join('');
  if (short.length === text.length) return text;
  const space = short.lastIndexOf(' ');
  return space > short.length / 2 ? short.slice(0, space) : short;
}
