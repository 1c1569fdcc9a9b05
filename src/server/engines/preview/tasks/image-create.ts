import path from 'node:path';
import type { InputOf } from '#contract/task-input.ts';
import type { EngineJobOf, EngineResult } from '../../engine.ts';
import { readPrompt } from '../brief/brief.ts';
import { hasWord } from '../brief/score.ts';
import { withPicturePalette } from '../color/picture-palette.ts';
import { writeImage, type ImageFormat } from '../write-image.ts';
import { jobSeed } from '../random.ts';
import { decodePrints, listReferences } from '../decode-references.ts';
import { type PreviewContext, PREVIEW_NOTE } from '../preview-context.ts';
import { imageSize } from '../sizes.ts';

const DETAIL = { low: 0.75, medium: 1, high: 1.2, xhigh: 1.4, max: 1.6 } as const;
type ImageInput = InputOf<'image.create' | 'image.edit'>;
type Quality = NonNullable<ImageInput['quality']>;

export const resolveQuality = (quality: Quality): keyof typeof DETAIL => (quality === 'auto' ? 'high' : quality);

export const qualityDetail = (quality: Quality | undefined): number =>
  quality === undefined ? 1 : DETAIL[resolveQuality(quality)];

export const imageOutputFormat = ({ output_format = 'png' }: Pick<ImageInput, 'output_format'>): ImageFormat =>
  output_format;

export const imageFileName = (format: ImageFormat): string => (format === 'jpeg' ? 'image.jpg' : 'image.png');

export async function createImage(
  job: EngineJobOf<'image.create'>,
  { tools, renderer }: PreviewContext,
): Promise<EngineResult> {
  const { input, signal } = job;
  const references = listReferences(job, 'reference_images');
  const size = imageSize(input, references[0]?.media ?? null);
  const brief = readPrompt(input.prompt, job.model ?? '', jobSeed(job.generation_id));
  const prints = await decodePrints(tools, job, references);
  job.onProgress(0.1);
  const { background, quality } = input;
  const cutout =
    background === 'transparent' ||
    (background === 'auto' && hasWord(brief.words, 'sticker logo icon cutout isolated transparent emblem'));
  const picture = await renderer.still(
    {
      kind: 'still',
      brief: withPicturePalette(brief, prints),
      ...size,
      detail: qualityDetail(quality),
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
      ...(quality === undefined ? {} : { quality: resolveQuality(quality) }),
      ...(prints.length === 0 ? {} : { references_shown: prints.length }),
    },
  };
}
