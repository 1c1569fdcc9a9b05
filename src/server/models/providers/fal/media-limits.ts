import { EngineError, type ResolvedReference } from '#server/models/engine/engine.ts';

type Range = readonly [min: number, max: number];

/** What an endpoint takes. Bounds that are left out are not documented. */
export interface MediaLimits {
  /** What it takes, for people: `JPEG, PNG and WebP images`. */
  name: string;
  mime_types?: readonly string[];
  /** Of one file. */
  max_megabytes?: number;
  max_total_megabytes?: number;
  /** Of one file. */
  seconds?: Range;
  total_seconds?: Range;
  /** Width × height. */
  pixels?: Range;
  side_pixels?: Range;
  /** Width ÷ height. */
  ratio?: Range;
  fps?: Range;
}

const BYTES_PER_MEGABYTE = 1_000_000;

/**
 * Checks files before they are uploaded. What is not known about a file passes.
 * @param model its name for people
 * @throws {EngineError} for a file that the endpoint would reject
 */
export function assertWithinLimits(model: string, references: readonly ResolvedReference[], limits: MediaLimits): void {
  const { name, mime_types } = limits;
  const reject = (what: string): never => {
    throw new EngineError('invalid_media', `fal’s ${model} takes ${what}.`);
  };
  const assertRange = (value: number | null, range: Range | undefined, describe: (range: Range) => string): void => {
    if (range && value !== null && (value < range[0] || value > range[1])) reject(`${name} ${describe(range)}`);
  };
  for (const { media } of references) {
    if (mime_types && !mime_types.includes(media.mime_type)) reject(`only ${name}`);
    const { width, height } = media;
    const megabytes = media.size_bytes / BYTES_PER_MEGABYTE;
    assertRange(megabytes, upTo(limits.max_megabytes), ([, max]) => `of at most ${max} MB each`);
    assertRange(media.duration_seconds, limits.seconds, (range) => `of ${describeSeconds(range)} each`);
    assertRange(media.fps, limits.fps, ([min, max]) => `with ${min} to ${max} frames per second`);
    if (width === null || height === null) continue;
    assertRange(width * height, limits.pixels, () => 'between 480p and 720p');
    assertRange(width / height, limits.ratio, ([min, max]) => `with a width of ${min} to ${max} times the height`);
    for (const side of [width, height])
      assertRange(side, limits.side_pixels, ([min, max]) => `of ${min} to ${max} pixels a side`);
  }
  if (references.length === 0) return;
  const megabytes = sum(references.map(({ media }) => media.size_bytes)) / BYTES_PER_MEGABYTE;
  assertRange(megabytes, upTo(limits.max_total_megabytes), ([, max]) => `of at most ${max} MB together`);
  const lengths = references.map(({ media }) => media.duration_seconds);
  const totalSeconds = lengths.includes(null) ? null : sum(lengths.map(Number));
  assertRange(totalSeconds, limits.total_seconds, (range) => `of ${describeSeconds(range)} together`);
}

const upTo = (max: number | undefined): Range | undefined => (max === undefined ? undefined : [0, max]);
const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
const describeSeconds = ([min, max]: Range): string =>
  min === 0 ? `at most ${max} seconds` : `${min} to ${max} seconds`;
