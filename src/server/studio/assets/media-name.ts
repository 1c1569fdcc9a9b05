import { trimEnd } from '#contract/trim-end.ts';
import { TASKS } from '#contract/catalog.ts';
import type { TaskId } from '#contract/ids.ts';
import type { MediaKind, TaskContract } from '#contract/task.ts';
import { stripExtension, stripInvisibleCharacters } from '#server/platform/core/file-names.ts';

export interface NamedMedia {
  type: MediaKind;
  created_at: Date;
  /** Of an upload, or given by a person. */
  filename: string | null;
  /** Of the media item that a tool made it from. */
  source_name: string | null;
  /** null: an upload. */
  generation: { task: TaskId; prompt: string | null } | null;
  /** Among the outputs of its generation. */
  output_index: number;
}

/** The field whose media item names the outputs of a task; null for tasks that are named by their prompt. */
export const namingField = (task: TaskId): string | null => findNamedBy(task)?.field ?? null;

function findNamedBy(task: TaskId): TaskContract['named_by'] {
  const { named_by }: TaskContract = TASKS[task];
  return named_by;
}

/** "A red fox – trimmed". null: it has no name but its task or type. Decision: Names of media */
export function mediaName({ filename, source_name, generation, output_index }: NamedMedia): string | null {
  if (!generation) return filename;
  if (filename !== null) return stripExtension(filename);
  const named_by = findNamedBy(generation.task);
  if (source_name === null || named_by === undefined) return generation.prompt?.trim() || null;
  return `${source_name} – ${named_by.suffix}${named_by.is_numbered ? ` ${output_index + 1}` : ''}`;
}

const MAX_SOURCE_NAME_CHARACTERS = 60;

/** Short enough that what was done stays readable after it. The same thing done twice is named once. */
export function toSourceName(name: string, task: TaskId): string | null {
  const named_by = findNamedBy(task);
  const suffix = named_by ? ` – ${named_by.suffix}` : '';
  const words = sanitizeName(name);
  const stem = suffix !== '' && words.endsWith(suffix) ? words.slice(0, -suffix.length) : words;
  return truncateName(stem, MAX_SOURCE_NAME_CHARACTERS).trim() || null;
}

/** The name of its file without the extension, valid on every system: "2026-11-24 A red fox – trimmed". */
export function mediaFileStem(medium: NamedMedia): string {
  const { filename, generation, type, created_at } = medium;
  if (filename !== null || !generation) return sanitizeName(stripExtension(filename ?? '')) || type;
  const words = sanitizeName(mediaName(medium) ?? '') || sanitizeName(TASKS[generation.task].name);
  return `${created_at.toISOString().slice(0, 10)} ${words}`;
}

const MAX_NAME_CHARACTERS = 80;
/** File systems allow 255 bytes; the extension, a date and a number need the rest. */
const MAX_NAME_BYTES = 200;
const RESERVED_NAME_PATTERN = /^(?:con|prn|aux|nul|com\d|lpt\d)$/i;

function sanitizeName(text: string): string {
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
function truncateName(text: string, maxCharacters: number): string {
  const characters = [...text];
  while (Buffer.byteLength(characters.join('')) > MAX_NAME_BYTES || characters.length > maxCharacters) characters.pop();
  const short = characters.join('');
  if (short.length === text.length) return text;
  const space = short.lastIndexOf(' ');
  return space > short.length / 2 ? short.slice(0, space) : short;
}
