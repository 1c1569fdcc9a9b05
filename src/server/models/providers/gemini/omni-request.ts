import type { Interactions } from '@google/genai';
import { EngineError } from '#server/models/engine/engine.ts';
import type { UpstreamJobOf } from '#server/models/engine/upstream.ts';
import { readInlineFiles } from './inline-files.ts';

export type OmniJob = UpstreamJobOf<'video.create'>;

// https://ai.google.dev/gemini-api/docs/omni, “Limitations”, page of 2026-09-18, read 2026-11-23.
const MAX_REFERENCE_SECONDS = 3;
/** Containers round lengths up to whole frames. */
const TOLERANCE_SECONDS = 0.1;

/** Parameters of `POST /interactions` for a clip of Gemini Omni. @throws {EngineError} for unsupported references */
export async function buildOmniRequest(model: string, { input, references }: OmniJob) {
  const tooLong = references.some(
    ({ media }) => media.kind === 'video' && (media.duration_seconds ?? 0) > MAX_REFERENCE_SECONDS + TOLERANCE_SECONDS,
  );
  if (tooLong)
    throw new EngineError('invalid_media', 'Gemini Omni takes reference videos of at most 3 seconds. Trim it first.');
  const files = await readInlineFiles(references);
  const media = files.map((file, index) =>
    references[index]?.media.kind === 'video'
      ? ({ type: 'video', ...file } as const)
      : ({ type: 'image', ...file } as const),
  );
  return {
    model,
    input: [...media, { type: 'text', text: buildPrompt(input.prompt, references) }],
    response_format: {
      type: 'video',
      aspect_ratio: input.aspect_ratio === '16:9' ? '16:9' : '9:16',
      resolution: '720p',
      duration: `${input.duration_seconds}s`,
      // Inline outputs end at 4 MB.
      delivery: 'uri',
    },
    generation_config: {
      video_config: { task: references.length > 0 ? 'reference_to_video' : 'text_to_video' },
    },
    background: true,
    store: true,
  } satisfies Interactions.CreateModelInteractionParamsNonStreaming;
}

/**
 * Declares the references as “Use tags in prompts to set roles of images and videos” asks; otherwise Omni may start the
 * clip with an image. Files are numbered from 1 and references from 0, both by kind.
 */
function buildPrompt(prompt: string, references: OmniJob['references']): string {
  if (references.length === 0) return prompt;
  const counts = { image: 0, video: 0 };
  const named = references.map(({ media, role }) => {
    const kind = media.kind === 'video' ? 'video' : 'image';
    const index = counts[kind]++;
    const name = `${kind === 'video' ? 'Video' : 'Image'}${index + 1}`;
    return { name, role, tag: `<${kind.toUpperCase()}_REF_${index}>@${name}` };
  });
  const roles = named.flatMap(({ name, role }) => (role ? [`Use ${name} as a reference for: ${role}.`] : []));
  return [
    `[# References ${named.map(({ tag }) => tag).join(' ')}]`,
    prompt,
    ...roles,
    ...(counts.image > 0
      ? [
          'Use the given image(s) as references for video generation. The images should not be used as literal initial frames.',
        ]
      : []),
    ...(counts.video > 0
      ? ['Use the given video(s) as references. Do not use them as a source for video editing.']
      : []),
  ].join(' ');
}
