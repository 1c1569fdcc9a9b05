import type { ImageEditParamsNonStreaming, ImageGenerateParamsNonStreaming } from 'openai/resources/images';
import { EngineError, type ResolvedReference } from '#server/models/engine/engine.ts';
import type { BuildImageRequest } from './images.ts';
import { openAiImageSize } from './openai-image-size.ts';

// “Create image edit”, API reference, read 2026-11-23: up to 16 PNG, WebP or JPEG files below 50 MB each.
const MIME_TYPES = ['image/png', 'image/jpeg', 'image/webp'];
const MAX_FILE_BYTES = 50_000_000;

/** `imgmodel-a-2` has no quality in its form. Unlike OpenAI’s `auto`, a fixed one has a known price. */
export const FIXED_QUALITY = 'medium';

/** What `/images/generations` and `/images/edits` share. */
type ImageParameters = Omit<ImageGenerateParamsNonStreaming, 'model'> &
  Omit<ImageEditParamsNonStreaming, 'model' | 'image'>;

/** Translates an input to parameters of the Images API. @throws {EngineError} for an unsupported reference */
export const buildOpenAiImageRequest: BuildImageRequest = ({ input, references }, nameReference) => {
  for (const reference of references) assertSupported(reference);
  const parameters = {
    prompt: input.prompt,
    size: input.size === undefined ? openAiImageSize(input.aspect_ratio, input.resolution, 'free') : input.size,
    quality: input.quality ?? FIXED_QUALITY,
    ...(input.background ? { background: input.background } : {}),
  } satisfies ImageParameters;
  return { ...parameters, ...(references.length > 0 ? { image: references.map(nameReference) } : {}) };
};

function assertSupported({ media }: ResolvedReference): void {
  if (!MIME_TYPES.includes(media.mime_type))
    throw new EngineError('invalid_media', 'OpenAI takes references as PNG, JPEG or WebP only.');
  if (media.size_bytes >= MAX_FILE_BYTES)
    throw new EngineError('invalid_media', 'OpenAI takes references below 50 MB only.');
}
