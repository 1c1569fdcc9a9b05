import type { Rule } from '#contract/task.ts';
import { EngineError } from '#server/models/engine/engine.ts';

const REFERENCE_FIELDS = ['reference_images', 'reference_videos', 'reference_audio'] as const;

/** Frames and references are two modes of Seedance; a last frame alone is neither. */
export const SEEDANCE_FRAME_RULES: readonly Rule[] = [
  ...['first_frame', 'last_frame'].flatMap((frame) =>
    REFERENCE_FIELDS.map((field): Rule => ({
      when: { field: frame, present: true },
      field,
      max_items: 0,
      message: 'Seedance does not combine frames with references.',
    })),
  ),
  {
    when: { field: 'first_frame', in: [null] },
    field: 'last_frame',
    allow: [null],
    message: 'An end frame needs a start frame.',
  },
];

/** With frames, Seedance 2.5 takes the shape of the first one. */
export const SEEDANCE_25_FRAME_RULES: readonly Rule[] = [
  ...SEEDANCE_FRAME_RULES,
  {
    when: { field: 'first_frame', present: true },
    field: 'aspect_ratio',
    allow: ['adaptive'],
    message: 'With a start frame, Seedance 2.5 takes the frame’s aspect ratio: choose Adaptive.',
  },
];

/** No rule of a form can say that one list needs another. @throws {EngineError} */
export function assertAudioHasCompany(counts: { images: number; videos: number; audio: number }): void {
  if (counts.audio > 0 && counts.images + counts.videos === 0)
    throw new EngineError('invalid_media', 'Reference audio needs a reference image or a reference video.');
}
