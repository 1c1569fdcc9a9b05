import path from 'node:path';
import type { InputOf } from '#contract/task-input.ts';
import type { Size } from '#contract/task.ts';
import {
  EngineError,
  type EngineJobOf,
  type EngineResult,
  type ResolvedReference,
} from '#server/models/engine/engine.ts';
import { saveMask } from '#server/platform/media/picture-jobs.ts';
import type { MediaFileInfo } from '#server/platform/media/probe-file.ts';
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

/** The longest side of what is painted. */
const MAX_SIDE = 3840;

/** Pixels that no mask marks stay as they are, so the picture keeps its size. */
function ownSize({ width, height }: Pick<MediaFileInfo, 'width' | 'height'>): Size {
  const [across, down] = [width ?? MAX_SIDE, height ?? MAX_SIDE];
  const scale = Math.min(1, MAX_SIDE / Math.max(across, down));
  return { width: Math.max(1, Math.round(across * scale)), height: Math.max(1, Math.round(down * scale)) };
}

const decodeOptions = ({ generation_id, signal }: ImageJob) => ({ owner: generation_id, signal });

/** The first image stays recognizable under the color of the prompt; further images are shown in it. Decision: Masks */
export const editImage = (job: EngineJobOf<'image.edit'>, context: PreviewContext): Promise<EngineResult> =>
  withTempDirectory(job, async (folder) => {
    const [source, ...others] = listReferences(job, 'images');
    if (!source) throw new EngineError('invalid_media', 'There is no image to edit.');
    const { input } = job;
    const [stored] = listReferences(job, 'mask');
    const size = stored ? ownSize(source.media) : imageSize(input, source.media);
    const decode = (reference: Pick<ResolvedReference, 'file'>) =>
      decodeImage(context.tools, job, reference, { ...size, fit: 'cover' }, folder);
    const white = stored && path.join(folder, 'mask.png');
    if (white)
      await saveMask(context.tools, stored.file, { file: white, from: 'white', to: 'white' }, decodeOptions(job));
    const [references, base, mask] = await Promise.all([
      decodeStrip(context.tools, job, others, folder),
      decode(source),
      white ? decode({ file: white }) : null,
    ]);
    const isTransparent = input.background === 'transparent';
    const request = { kind: 'edit' as const, ...size, theme: themeOf(job), isTransparent, references, base, mask };
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
