import path from 'node:path';
import type { PictureShape } from '#server/media/picture-protocol.ts';
import { EngineError, type EngineJobOf, type EngineResult } from '../../engine.ts';
import { readPrompt } from '../brief/brief.ts';
import { withPicturePalette } from '../color/picture-palette.ts';
import { readInstruction, type Instruction } from '../edit/instruction.ts';
import type { BackgroundRemoval } from '../edit/remove-background.ts';
import { writeImage } from '../write-image.ts';
import { jobSeed } from '../random.ts';
import { type PreviewContext, PREVIEW_NOTE } from '../preview-context.ts';
import { decodeImage, decodePrints, listReferences } from '../decode-references.ts';
import { imageSize, type PixelSize } from '../sizes.ts';
import { qualityDetail, imageFileName, imageOutputFormat, resolveQuality } from './image-create.ts';

const BACKGROUND_REMOVAL_MESSAGES = {
  kept: 'the transparency of the image is kept',
  keyed: 'the plain ground around the subject is removed',
  masked: 'an oval is kept: finding a subject in a picture needs a model',
} as const satisfies Record<BackgroundRemoval, string>;

/** Applies the changes of an instruction to the first image and places further images in it. */
export async function editImage(
  job: EngineJobOf<'image.edit'>,
  { tools, renderer }: PreviewContext,
): Promise<EngineResult> {
  const { input, signal } = job;
  const [source, ...others] = listReferences(job, 'images');
  if (!source) throw new EngineError('invalid_media', 'There is no image to edit.');
  const { prompt, background, quality } = input;
  const read = readPrompt(prompt, job.model ?? '', jobSeed(job.generation_id));
  const instruction = readInstruction(prompt, read);
  const size = editSize(job, source.media, instruction);
  const [prints, base] = await Promise.all([
    decodePrints(tools, job, others),
    decodeImage(tools, job, source, baseShape(size, instruction)),
  ]);
  job.onProgress(0.2);
  const cutout = background === 'transparent';
  const { picture, cut } = await renderer.edit(
    {
      kind: 'edit',
      brief: withPicturePalette(read, prints),
      ...size,
      detail: qualityDetail(quality),
      cutout,
      prints,
      base,
      look: instruction.look,
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
      applied: [...instruction.applied, ...(cut === null ? [] : [BACKGROUND_REMOVAL_MESSAGES[cut]])],
      ...(quality === undefined ? {} : { quality: resolveQuality(quality) }),
      ...(prints.length === 0 ? {} : { images_set_in: prints.length }),
    },
  };
}

/** Like `imageSize`, except for a crop ratio and a quarter turn, which swaps the sides. */
function editSize(
  job: EngineJobOf<'image.edit'>,
  media: { width: number | null; height: number | null },
  { look, crop_ratio }: Instruction,
): PixelSize {
  const turned = look.quarters % 2 === 1;
  const own = turned ? { width: media.height, height: media.width } : media;
  const shape = crop_ratio === null ? own : { width: crop_ratio * 1000, height: 1000 };
  return imageSize(job.input, shape);
}

const baseShape = (size: PixelSize, { look }: Instruction): PictureShape => ({
  width: size.width_px,
  height: size.height_px,
  fit: 'cover',
  quarters: look.quarters,
  mirror: look.mirror,
  upside_down: look.upside_down,
  ...(look.sharpen > 0 ? { sharpen: 1 + look.sharpen } : {}),
});
