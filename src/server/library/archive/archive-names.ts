import { TASKS } from '#contract/catalog.ts';
import { extensionOf, removeUnseen, withoutExtension } from '../../file-names.ts';
import type { MediaRow } from '../media-rows.ts';

const MOST_CHARACTERS = 80;
/** A file system takes 255; an extension, a date and a number come to it. */
const MOST_BYTES = 200;

/**
 * Names under which media are packed, in the same order: of an upload as the person named it, of an output its day and
 * prompt. They are names on every system, none is a path, and no two are the same whatever their case.
 */
export function archiveNames(rows: readonly MediaRow[]): string[] {
  const taken = new Set<string>();
  return rows.map((row) => {
    const stem = stemOf(row);
    const extension = extensionOf(row.storage_key);
    for (let count = 1; ; count += 1) {
      const name = `${stem}${count === 1 ? '' : ` (${count})`}${extension}`;
      const folded = name.toLowerCase();
      if (taken.has(folded)) continue;
      taken.add(folded);
      return name;
    }
  });
}

function stemOf({ filename, generation, type, created_at }: MediaRow): string {
  if (!generation) return plain(withoutExtension(filename ?? '')) || type;
  const words = plain(generation.prompt ?? '') || plain(TASKS[generation.task].name);
  return `${created_at.toISOString().slice(0, 10)} ${words}`;
}

const RESERVED = /^(?:con|prn|aux|nul|com\d|lpt\d)$/i;

function plain(text: string): string {
  const words = removeUnseen(text.toWellFormed().normalize('NFC').replaceAll(/\s+/gu, ' '))
    .replaceAll(/[<>:"/\\|?*]+/g, ' ')
    .replaceAll(/ +/g, ' ')
    .replace(/^[-. ]+/, '');
  const short = cut(words).replace(/[. ]+$/, '');
  return RESERVED.test(short) ? `${short}_` : short;
}

/** At a blank where there is one not far from the end. */
function cut(text: string): string {
  const signs = [...text];
  while (Buffer.byteLength(signs.join('')) > MOST_BYTES || signs.length > MOST_CHARACTERS) signs.pop();
  const short = signs.join('');
  if (short.length === text.length) return text;
  const blank = short.lastIndexOf(' ');
  return blank > short.length / 2 ? short.slice(0, blank) : short;
}
