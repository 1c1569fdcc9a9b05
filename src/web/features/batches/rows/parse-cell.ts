import { trimEnd } from '#contract/trim-end.ts';
import type { ChoiceFieldSpec, FieldSpec, MediaKind, NumberFieldSpec } from '#contract/task.ts';
import { choiceOptions, isRatioField, parseAspectRatio } from '#web/forms/models/compare-options.ts';
import { optionLabel } from '#web/forms/values/format-field-value.ts';
import { formatOrList } from '#web/ui/formats.ts';

/** How the text of a cell reads as the value of a field. */
export type ParsedCell = { ok: true; value: unknown } | { ok: false; problem: string } | { ok: false; pending: true };

/** Looks up the link of media by id or file name. */
export type FindMedia = (name: string, kind: MediaKind) => { url: string } | { problem: string } | 'pending';

const MAX_LISTED_OPTIONS = 12;
const MAX_QUOTED_LENGTH = 40;
const TRUE_WORDS = new Set(['true', 'yes', 'on', '1', 'x']);
const FALSE_WORDS = new Set(['false', 'no', 'off', '0']);

const valid = (value: unknown): ParsedCell => ({ ok: true, value });
const invalid = (problem: string): ParsedCell => ({ ok: false, problem });
const quote = (text: string) =>
  `“${text.length > MAX_QUOTED_LENGTH ? `${text.slice(0, MAX_QUOTED_LENGTH).trimEnd()}…` : text}”`;

function parseJson({ label }: FieldSpec, text: string): ParsedCell {
  try {
    return valid(JSON.parse(text));
  } catch {
    return invalid(`${label} takes JSON here, such as its value in the code of a request.`);
  }
}

type CellParsers = {
  [K in FieldSpec['kind']]: (field: Extract<FieldSpec, { kind: K }>, text: string, find: FindMedia) => ParsedCell;
};

const CELL_PARSERS: CellParsers = {
  text: (_field, text) => valid(text),
  choice: parseChoice,
  number: parseNumber,
  integer: parseNumber,
  boolean: (_field, text) => {
    const word = text.toLowerCase();
    if (TRUE_WORDS.has(word)) return valid(true);
    return FALSE_WORDS.has(word) ? valid(false) : invalid(`${quote(text)} is neither yes nor no.`);
  },
  datetime: (_field, text) => {
    const timeMs = Date.parse(text);
    if (Number.isNaN(timeMs)) return invalid(`${quote(text)} is not a date such as 2026-03-31.`);
    return valid(new Date(timeMs).toISOString());
  },
  size: ({ label, options }, text) => {
    if (options.includes(text)) return valid(text);
    const [, width, height] = /^(\d+)\s*[x×]\s*(\d+)$/i.exec(text) ?? [];
    return width && height
      ? valid({ width: Number(width), height: Number(height) })
      : invalid(`${label} ${quote(text)} is no size such as ${options[0] ?? '1024x768'}.`);
  },
  group: parseJson,
  json: parseJson,
  rows: parseJson,
  list: ({ item }, text, find) => {
    const items = splitMediaNames(text).map((each) => parseCell(item, each, find));
    return items.find(({ ok }) => !ok) ?? valid(items.map((each) => (each.ok ? each.value : null)));
  },
  reference: (field, text, find) => {
    const found = findMedia([text], field.media, find);
    return found.ok ? valid(found.items[0]) : found;
  },
  references: (field, text, find) => {
    const found = findMedia(splitMediaNames(text), field.media, find);
    return found.ok ? valid(found.items) : found;
  },
};

/**
 * Reads the text of a cell as the value of a field. The service validates it later.
 * @param text not blank
 */
export function parseCell<F extends FieldSpec>(field: F, text: string, find: FindMedia): ParsedCell {
  // The table is exhaustive by type; the compiler cannot connect a key to its entry inside a generic function.
  const parse = CELL_PARSERS[field.kind] as (field: F, text: string, find: FindMedia) => ParsedCell;
  return parse(field, text.trim(), find);
}

export const isLink = (name: string): boolean => /^https?:\/\//i.test(name);

/** Splits a cell with several media at line breaks, semicolons and bars, and at spaces or commas before a link. */
export const splitMediaNames = (text: string): string[] =>
  text
    .split(/[\n\r;|]|[\s,](?=https?:\/\/)/)
    .map((name) => trimEnd(name.trim(), ', '))
    .filter(Boolean);

function findMedia(
  names: readonly string[],
  kind: MediaKind,
  find: FindMedia,
): { ok: true; items: { url: string }[] } | Exclude<ParsedCell, { ok: true }> {
  const items: { url: string }[] = [];
  let isPending = false;
  for (const name of names) {
    const found = isLink(name) ? { url: name } : find(name, kind);
    if (found === 'pending') isPending = true;
    else if ('problem' in found) return { ok: false, problem: found.problem };
    else items.push({ url: found.url });
  }
  return isPending ? { ok: false, pending: true } : { ok: true, items };
}

function parseChoice(field: ChoiceFieldSpec, text: string): ParsedCell {
  const options = choiceOptions(field);
  const label = (option: unknown) => optionLabel(field, option as string | number | null);
  const wanted = text.toLowerCase();
  const ratio = isRatioField(field) ? parseAspectRatio(wanted.replaceAll(/\s/g, '').replace('×', 'x')) : null;
  const match =
    options.find((option) => option !== null && String(option).toLowerCase() === wanted) ??
    options.find((option) => label(option).toLowerCase() === wanted) ??
    options.find((option) => typeof option === 'number' && option === readNumber(text)) ??
    options.find((option) => ratio !== null && parseAspectRatio(option) === ratio);
  if (match !== undefined) return valid(match);
  const labels = options.filter((option) => option !== null).map(label);
  const listed = labels.length > MAX_LISTED_OPTIONS ? [...labels.slice(0, MAX_LISTED_OPTIONS), 'others'] : labels;
  return invalid(`${quote(text)} is not an option. Use ${formatOrList(listed)}.`);
}

/** Returns NaN for other texts. */
const readNumber = (text: string): number =>
  /^-?(?:\d+(?:[.,]\d+)?|[.,]\d+)$/.test(text) ? Number(text.replace(',', '.')) : Number.NaN;

function parseNumber({ unit }: NumberFieldSpec, text: string): ParsedCell {
  const bare = unit && text.toLowerCase().endsWith(unit.toLowerCase()) ? text.slice(0, -unit.length).trim() : text;
  // A comma before three digits may be a decimal comma or a group of thousands.
  if (/,\d{3}$/.test(bare)) return invalid(`${quote(text)} is ambiguous. Write the number without a comma.`);
  const number = readNumber(bare);
  return Number.isNaN(number) ? invalid(`${quote(text)} is not a number.`) : valid(number);
}
