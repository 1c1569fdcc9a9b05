import type { UpstreamEngineJob } from '../upstream.ts';
import { openAiImageSize } from './openai-image-size.ts';
import type { FilePlaceholder } from './request-parameters.ts';

export interface ImageModel {
  model: string;
  sizes?: 'standard' | 'free' | undefined;
}

/** Models that are documented to make any size. */
const FREE_SIZES = /^gpt-image-2/;

/** The parameters of the Images API for our input of `image.create` and `image.edit`. */
export function buildImageRequest(
  { model, sizes }: ImageModel,
  job: UpstreamEngineJob,
  fileOf: FilePlaceholder,
): Record<string, unknown> {
  const { prompt, size, aspect_ratio = 'auto', resolution = '1K', quality, background, output_format } = job.input;
  const kind = sizes ?? (FREE_SIZES.test(model) ? 'free' : 'standard');
  const images = job.references.map(fileOf);
  return {
    prompt,
    size: size ?? openAiImageSize(String(aspect_ratio), String(resolution), kind),
    ...(quality ? { quality } : {}),
    ...(background ? { background } : {}),
    ...(output_format ? { output_format } : {}),
    ...(images.length > 0 ? { image: images } : {}),
  };
}
