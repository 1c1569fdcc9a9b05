import path from 'node:path';
import type { EngineJob, EngineResult } from '../../engine.ts';
import { readPrompt } from '../brief/brief.ts';
import { hasWord } from '../brief/score.ts';
import { withPicturePalette } from '../color/picture-palette.ts';
import { writeImage, type ImageFormat } from '../write-image.ts';
import { jobSeed, inputText } from '../input.ts';
import { PREVIEW_NOTE } from '../preview-note.ts';
import { decodePrints, listReferences } from '../decode-references.ts';
import type { PreviewContext } from '../preview-context.ts';
import { imageSize } from '../sizes.ts';

const DETAIL = { low: 0.75, medium: 1, high: 1.2, xhigh: 1.4, max: 1.6 } as const;
type Quality = keyof typeof DETAIL;

/** The quality a request is painted at; `auto` and models without the choice get a good one. */
export function resolveQuality(quality: unknown): Quality {
  return typeof quality === 'string' && Object.hasOwn(DETAIL, quality) ? (quality as Quality) : 'high';
}

export const qualityDetail = (quality: unknown): number =>
  quality === undefined ? 1 : DETAIL[resolveQuality(quality)];

export const imageOutputFormat = (input: EngineJob['input']): ImageFormat =>
  input['output_format'] === 'jpeg' ? 'jpeg' : 'png';

export const imageFileName = (format: ImageFormat): string => (format === 'jpeg' ? 'image.jpg' : 'image.png');

/** Paints a picture for `image.create`: each generation gets its own, and a rerun of one gets the same again. */
export async function createImage(job: EngineJob, { tools, renderer }: PreviewContext): Promise<EngineResult> {
  const { input, signal } = job;
  const references = listReferences(job, 'reference_images');
  const size = imageSize(input, references[0]?.media ?? null);
  const brief = readPrompt(inputText(input, 'prompt'), job.model ?? '', jobSeed(job));
  const prints = await decodePrints(tools, job, references);
  job.onProgress(0.1);
  const background = input['background'];
  const cutout =
    background === 'transparent' ||
    (background === 'auto' && hasWord(brief.words, 'sticker logo icon cutout isolated transparent emblem'));
  const picture = await renderer.still(
    {
      kind: 'still',
      brief: withPicturePalette(brief, prints),
      ...size,
      detail: qualityDetail(input['quality']),
      cutout,
      prints,
    },
    signal,
  );
  job.onProgress(0.7);
  const format = imageOutputFormat(input);
  const file = path.join(job.work_dir, imageFileName(format));
  await writeImage(picture, { file, format, alpha: cutout, signal });
  job.onProgress(1);
  return {
    files: [file],
    data: {
      ...PREVIEW_NOTE,
      width: size.width_px,
      height: size.height_px,
      composition: brief.family,
      ...(input['quality'] === undefined ? {} : { quality: resolveQuality(input['quality']) }),
      ...(prints.length === 0 ? {} : { references_shown: prints.length }),
    },
  };
}
