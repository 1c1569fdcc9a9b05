/** Encodings that a file without a mark may have, the likeliest first. Spreadsheets save CSV in that of the system. */
export const LEGACY_ENCODINGS = {
  'windows-1252': 'Western European (Windows-1252)',
  'windows-1250': 'Central European (Windows-1250)',
  'windows-1251': 'Cyrillic (Windows-1251)',
  'windows-1254': 'Turkish (Windows-1254)',
  'windows-1253': 'Greek (Windows-1253)',
  'windows-1255': 'Hebrew (Windows-1255)',
  'windows-1256': 'Arabic (Windows-1256)',
  'windows-1257': 'Baltic (Windows-1257)',
  'windows-1258': 'Vietnamese (Windows-1258)',
  'windows-874': 'Thai (Windows-874)',
  gb18030: 'Simplified Chinese (GB 18030)',
  big5: 'Traditional Chinese (Big5)',
  shift_jis: 'Japanese (Shift JIS)',
  'euc-kr': 'Korean (EUC-KR)',
  macintosh: 'Western European (Macintosh)',
} as const;
export type LegacyEncoding = keyof typeof LEGACY_ENCODINGS;

export type GuessedEncoding = LegacyEncoding | 'utf-16le' | 'utf-16be';

export interface DecodedText {
  text: string;
  /** What the bytes only suggest; null: UTF-8, or named by a byte order mark. */
  guessed: GuessedEncoding | null;
}

const startsWith = (bytes: Uint8Array, ...prefix: number[]) => prefix.every((byte, at) => bytes[at] === byte);

const decode = (bytes: Uint8Array, encoding: string): string | null => {
  try {
    // The decoder drops a byte order mark.
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
};

/** Characters that no text has: control characters, and what Unicode does not define. */
const NO_TEXT = /[^\P{Cc}\t\n\v\f\r]|\p{Cn}/u;
const REPLACEMENT = '\ufffd';

/**
 * Decodes the bytes of a text file in UTF-8, UTF-16 or an older encoding.
 * @param encoding for a file that is not in UTF-8 and has no zeros
 * @returns null for bytes that are no text, `damaged` for UTF-8 with faulty characters
 */
export function decodeText(
  bytes: Uint8Array,
  encoding: LegacyEncoding = 'windows-1252',
): DecodedText | 'damaged' | null {
  const marked = startsWith(bytes, 0xff, 0xfe) ? 'utf-16le' : startsWith(bytes, 0xfe, 0xff) ? 'utf-16be' : null;
  if (marked !== null) return read(bytes, marked, null);
  // Text in UTF-16 has a zero in its separators and line breaks at least, and no other text has any.
  if (bytes.includes(0)) return readUtf16(bytes);
  const text = decode(bytes, 'utf-8');
  if (text !== null) return { text, guessed: null };
  return isMostlyUtf8(bytes) ? 'damaged' : read(bytes, encoding, encoding);
}

function read(bytes: Uint8Array, encoding: string, guessed: GuessedEncoding | null): DecodedText | null {
  const text = decode(bytes, encoding);
  return text === null || NO_TEXT.test(text) ? null : { text, guessed };
}

const countAscii = (text: string): number => text.length - text.replaceAll(/\p{ASCII}/gu, '').length;

/** Reads UTF-16 without a mark, in the order of bytes that makes sense of its separators. */
function readUtf16(bytes: Uint8Array): DecodedText | null {
  const [best] = (['utf-16le', 'utf-16be'] as const)
    .flatMap((order) => read(bytes, order, order) ?? [])
    .toSorted((a, b) => countAscii(b.text) - countAscii(a.text));
  return best ?? null;
}

/** Whether more of its characters are correct UTF-8 than not. Text in an older encoding has hardly any such sequence. */
function isMostlyUtf8(bytes: Uint8Array): boolean {
  let [good, bad] = [0, 0];
  for (const letter of new TextDecoder('utf-8').decode(bytes))
    if (letter === REPLACEMENT) bad += 1;
    else if (letter > '\u007f') good += 1;
  return good > bad;
}
