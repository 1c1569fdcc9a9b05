import { isJson, property } from '#contract/json-value.ts';
import type { FieldSpec } from '#contract/task.ts';

/** The units that a free text may name: none of them changes the number. */
const WHOLE_TEXT =
  /^(0|[1-9]\d{0,14})(\.\d{1,9})?(?: ?(?:s|secs?|seconds?|frames?|images?|outputs?|mp|megapixels?|characters?|tokens?))?$/i;
/** Options were confirmed with the price, so they may have any unit and a remark: `8s`, `10 seconds (HD)`. */
const OPTION = /^(0|[1-9]\d{0,14})(\.\d{1,9})?(?: ?[a-z]+)?(?:[ (].*)?$/is;

function parseWith(pattern: RegExp, text: string): number | null {
  const [, whole, decimals = ''] = pattern.exec(text) ?? [];
  return whole === undefined ? null : Number(whole + decimals);
}

/** Whether a value is free text instead of an option of the field. */
export const isOwnText = (field: FieldSpec | undefined, value: unknown): value is string =>
  typeof value === 'string' && !(field?.kind === 'choice' && field.options.includes(value));

/** The number that an option says; null for one that says none, such as `auto`. */
export const optionNumber = (option: string | number): number | null =>
  typeof option === 'number' ? option : parseWith(OPTION, option);

/** The number that a value of a field is or says; null where it is not certain, such as in `00:10`, `0x0A` and `1e3`. */
export function numberOf(field: FieldSpec | undefined, value: unknown): number | null {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (typeof value !== 'string') return null;
  return isOwnText(field, value) ? parseWith(WHOLE_TEXT, value) : optionNumber(value);
}

/** Sizes that fal names. */
const NAMED_SIZES: Readonly<Record<string, readonly [width: number, height: number]>> = {
  square_hd: [1024, 1024],
  square: [512, 512],
  portrait_4_3: [768, 1024],
  portrait_16_9: [576, 1024],
  landscape_4_3: [1024, 768],
  landscape_16_9: [1024, 576],
};

/** No side of a picture is shorter, in pixels. */
const MIN_SIDE = 10;

export const toMegapixels = (width: number, height: number): number | null =>
  width >= MIN_SIDE && height >= MIN_SIDE && Number.isFinite(width * height) ? (width * height) / 1_000_000 : null;

/** The megapixels that a size says: a name, `1024x768`, or a width and a height; null for others, such as `auto`. */
export function megapixelsOf(value: unknown): number | null {
  if (isJson(value)) {
    const sides = ['width', 'height'].map((name) => numberOf(undefined, property(value, name)));
    return sides.every((side) => side !== null) ? toMegapixels(sides[0] ?? 0, sides[1] ?? 0) : null;
  }
  if (typeof value !== 'string') return null;
  const named = Object.hasOwn(NAMED_SIZES, value) ? NAMED_SIZES[value] : undefined;
  if (named) return toMegapixels(...named);
  const [, width, height] = /^([1-9]\d{0,4}) ?[x×*] ?([1-9]\d{0,4})$/.exec(value) ?? [];
  return width && height ? toMegapixels(Number(width), Number(height)) : null;
}
