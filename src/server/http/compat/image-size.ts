import type { InputContract, Rule } from '#contract/task.ts';
import type { ParameterRule } from './parameter-rules.ts';

type Values = Readonly<Record<string, string | number>>;

/** A shape and a size that a model offers together. */
interface Format {
  values: Values;
  width: number;
  height: number;
}

const PIXELS: Readonly<Record<string, number>> = { '1K': 1024 * 1024, '2K': 2048 * 2048, '4K': 3840 * 2160 };
const STEP = 16;
/** Of a model without a choice. */
const USUAL_PIXELS = 1024 * 1024;
/** 1792x1024 is 16:9. */
const MAX_RATIO_FACTOR = 1.03;
/** 1536x1024 is 1K, and 4096x4096 is 4K; 512x512 is neither. */
const MAX_PIXELS_FACTOR = 2.1;
const MAX_LISTED = 24;

/** Translates `1536x1024` to the nearest format of a model that has no sizes in pixels. */
export const toSizeFields: ParameterRule = (value, contract) => {
  const field = (name: string) => contract.fields.find((each) => each.name === name);
  if (value === 'auto') return readOptions(contract, 'aspect_ratio').includes('auto') ? { aspect_ratio: 'auto' } : {};
  const [text, width = 0, height = 0] = /^([1-9]\d{0,4})x([1-9]\d{0,4})$/.exec(String(value))?.map(Number) ?? [];
  if (text === undefined) return 'The size must be like 1024x1024, or auto.';
  const named = contract.fields.find(({ kind }) => kind === 'size');
  if (named) return { [named.name]: String(value) };
  if (field('width') && field('height')) return { width, height };
  const formats = listFormats(contract);
  if (formats.length === 0) return 'This model has no choice of size. Leave size out, or send auto.';
  const [nearest] = formats
    .map((format) => ({ format, distance: computeDistance(format, width, height) }))
    .toSorted((a, b) => a.distance - b.distance);
  if (nearest && nearest.distance < Infinity) return nearest.format.values;
  const sizes = [...new Set(formats.map((format) => `${format.width}x${format.height}`))].slice(0, MAX_LISTED);
  return `This model has no size near ${String(value)}. Sizes that it has: ${sizes.join(', ')}, auto.`;
};

function listFormats(contract: InputContract): Format[] {
  const resolutions = readOptions(contract, 'resolution').filter((option) => PIXELS[option] !== undefined);
  return readOptions(contract, 'aspect_ratio').flatMap((aspect_ratio) => {
    const [, across = 0, down = 0] = /^(\d+):(\d+)$/.exec(aspect_ratio)?.map(Number) ?? [];
    if (across === 0 || down === 0) return [];
    const toFormat = (values: Values, pixels: number): Format => ({
      values: { aspect_ratio, ...values },
      width: roundToStep(Math.sqrt((pixels * across) / down)),
      height: roundToStep(Math.sqrt((pixels * down) / across)),
    });
    if (resolutions.length === 0) return [toFormat({}, USUAL_PIXELS)];
    return resolutions
      .filter((resolution) => contract.rules.every((rule) => allows(rule, aspect_ratio, resolution)))
      .map((resolution) => toFormat({ resolution }, PIXELS[resolution] ?? USUAL_PIXELS));
  });
}

const roundToStep = (length: number): number => Math.round(length / STEP) * STEP;

function readOptions({ fields }: InputContract, name: string): string[] {
  const field = fields.find((each) => each.name === name);
  return field?.kind === 'choice' ? field.options.map(String) : [];
}

const allows = (rule: Rule, aspectRatio: string, resolution: string): boolean =>
  rule.when.field !== 'aspect_ratio' ||
  rule.field !== 'resolution' ||
  !('in' in rule.when && rule.when.in.includes(aspectRatio)) ||
  !('allow' in rule) ||
  rule.allow.includes(resolution);

/** Infinity: too far. */
function computeDistance(format: Format, width: number, height: number): number {
  const ratio = Math.abs(Math.log(width / height / (format.width / format.height))) / Math.log(MAX_RATIO_FACTOR);
  const pixels = Math.abs(Math.log((width * height) / (format.width * format.height))) / Math.log(MAX_PIXELS_FACTOR);
  return ratio <= 1 && pixels <= 1 ? ratio + pixels : Infinity;
}
