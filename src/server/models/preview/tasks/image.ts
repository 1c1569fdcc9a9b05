import path from 'node:path';
import type { InputOf } from '#contract/task-input.ts';
import { EngineError, type EngineJobOf, type EngineResult } from '#server/models/engine/engine.ts';
import type { ImageRequest } from '#server/models/preview/paint-protocol.ts';
import { type PreviewContext, PREVIEW_NOTE } from '#server/models/preview/preview-context.ts';
import { jobSeed } from '#server/models/preview/random.ts';
import { decodeImage, decodeStrip, listReferences } from '#server/models/preview/references.ts';
import { imageSize } from '#server/models/preview/sizes.ts';
import { withTempDirectory } from '#server/models/preview/temp-directory.ts';
import { readTheme } from '#server/models/preview/theme.ts';

type ImageJob = EngineJobOf<'image.create'> | EngineJobOf<'image.edit'>;

export const createImage = (job: EngineJobOf<'image.create'>, context: PreviewContext): Promise<EngineResult> =>
  withTempDirectory(job, async (folder) => {
    const references = listReferences(job, 'reference_images');
    const { input } = job;
    const request = {
      kind: 'still' as const,
      ...imageSize(input, references[0]?.media ?? null),
      theme: themeOf(job),
      isTransparent: input.background === 'transparent',
      references: await decodeStrip(context.tools, job, references, folder),
    };
    return produceImage(job, context, request, { composition: request.theme.composition });
  });

/** The first image stays recognizable under the color of the prompt; further images are shown in it. */
export const editImage = (job: EngineJobOf<'image.edit'>, context: PreviewContext): Promise<EngineResult> =>
  withTempDirectory(job, async (folder) => {
    const [source, ...others] = listReferences(job, 'images');
    if (!source) throw new EngineError('invalid_media', 'There is no image to edit.');
    const { input } = job;
    const size = imageSize(input, source.media);
    const [references, base] = await Promise.all([
      decodeStrip(context.tools, job, others, folder),
      decodeImage(context.tools, job, source, { ...size, fit: 'cover' }, folder),
    ]);
    const isTransparent = input.background === 'transparent';
    const request = { kind: 'edit' as const, ...size, theme: themeOf(job), isTransparent, references, base };
    return produceImage(job, context, request, {});
  });

const themeOf = (job: ImageJob) => readTheme(job.input.prompt, job.model ?? '', jobSeed(job.generation_id));

type Quality = NonNullable<InputOf<'image.create'>['quality']>;
/** What `auto` stands for, as a model would report it. */
const resolveQuality = (quality: Quality): Exclude<Quality, 'auto'> => (quality === 'auto' ? 'high' : quality);

async function produceImage(
  job: ImageJob,
  { painting }: PreviewContext,
  request: ImageRequest,
  data: Record<string, unknown>,
): Promise<EngineResult> {
  const { input, signal } = job;
  job.onProgress(0.1);
  const format = input.output_format ?? 'png';
  const file = path.join(job.workDir, format === 'jpeg' ? 'image.jpg' : 'image.png');
  await painting.paintImage(request, { file, format }, signal);
  job.onProgress(1);
  const { width, height, references } = request;
  return {
    files: [file],
    data: {
      ...PREVIEW_NOTE,
      width,
      height,
      ...data,
      ...(input.quality === undefined ? {} : { quality: resolveQuality(input.quality) }),
      ...(references.length === 0 ? {} : { references_shown: references.length }),
    },
  };
}
