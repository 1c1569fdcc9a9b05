import { TASKS } from '#contract/catalog.ts';
import { fileExtension, stripInvisibleCharacters, stripExtension } from '#server/core/file-names.ts';
import type { MediaRow } from '../media-rows.ts';

const MAX_NAME_CHARACTERS = 80;
/** A file system takes 255; an extension, a date and a number come to it. */
const MAX_NAME_BYTES = 200;

/**
 * Names under which media are packed, in the same order: of an upload as the person named it, of an output its day and
 * prompt. They are names on every system, none is a path, and no two are the same whatever their case.
 */
export function createArchiveNames(rows: readonly MediaRow[]): string[] {
  const taken = new Set<string>();
  return rows.map((row) => {
    const stem = baseName(row);
    const extension = fileExtension(row.storage_key);
    for (let count = 1; ; count += 1) {
      const name = `${stem}${count === 1 ? '' : ` (${count})`}${extension}`;
      const folded = name.toLowerCase();
      if (taken.has(folded)) continue;
      taken.add(folded);
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

/** At a blank where there is one not far from the end. */
function truncateName(text: string): string {
  const signs = [...text];
  while (Buffer.byteLength(signs.join('')) > MAX_NAME_BYTES || signs.length > MAX_NAME_CHARACTERS) signs.pop();
  const short = signs.join('');
  if (short.length === text.length) return text;
  const blank = short.lastIndexOf(' ');
  return blank > short.length / 2 ? short.slice(0, blank) : short;
}
