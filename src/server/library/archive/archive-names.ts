import { TASKS } from '#contract/catalog.ts';
import { fileExtension, stripInvisibleCharacters, stripExtension } from '#server/core/file-names.ts';
import type { MediaRow } from '../media-rows.ts';

const MAX_NAME_CHARACTERS = 80;
/** File systems allow 255 bytes; the extension, a date and a number need the rest. */
const MAX_NAME_BYTES = 200;

/** Names in the same order, valid on every system, without a path and unique regardless of case. */
export function createArchiveNames(rows: readonly MediaRow[]): string[] {
  const used = new Set<string>();
  return rows.map((row) => {
    const stem = baseName(row);
    const extension = fileExtension(row.storage_key);
    for (let count = 1; ; count += 1) {
      const name = `${stem}${count === 1 ? '' : ` (${count})`}${extension}`;
      const folded = name.toLowerCase();
      if (used.has(folded)) continue;
      used.add(folded);
      return name;
    }
  });
}

function baseName({ filename, generation, type, created_at }: MediaRow): string {
  if (!generation) return sanitizeName(stripExtension(filename ?? '')) || type;
  const words = sanitizeName(generation.prompt ?? '') || sanitizeName(TASKS[generation.task].name);
  return `${created_at.toISOString().slice(0, 10)} ${words}`;
}

const RESERVED_NAME_PATTERN = /^(?:con|prn|aux|nul|com\d|lpt\d)$/i;

function sanitizeName(text: string): string {
  const words = stripInvisibleCharacters(text.toWellFormed().normalize('NFC').replaceAll(/\s+/gu, ' '))
    .replaceAll(/[<>:"/\\|?*]+/g, ' ')
    .replaceAll(/ +/g, ' ')
    .replace(/^[-. ]+/, '');
  const short = truncateName(words).replace(/[. ]+$/, '');
  return RESERVED_NAME_PATTERN.test(short) ? `${short}_` : short;
}

/** Cuts at a space if there is one in the second half. */
function truncateName(text: string): string {
  const characters = [...text];
  while (Buffer.byteLength(characters.join('')) > MAX_NAME_BYTES || characters.length > MAX_NAME_CHARACTERS)
    characters.pop();
  const short = characters.join('');
  if (short.length === text.length) return text;
  const space = short.lastIndexOf(' ');
  return space > short.length / 2 ? short.slice(0, space) : short;
}
