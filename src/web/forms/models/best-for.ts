import type { ModelId } from '#contract/ids.ts';

/** What a model is best for, where neither an administrator nor its provider describes it. */
export const BEST_FOR = {
  'imgmodel-a-2': 'Best for long instructions, legible text and many shapes',
  'imgmodel-a-2.5-flare': 'Best for quick drafts at a low price',
  'imgmodel-a-2.5-sunburst': 'Best for fine detail and exact edits; slower than Flare',
  'imgmodel-b-2': 'Best for people and objects that must stay recognizable',
  'imgmodel-b-2-lite': 'Best for cheap drafts and very long shapes',
  'imgmodel-b-pro': 'Best for layouts, infographics and text',
  'imgmodel-d-5-pro': 'Best for photographic images and posters',
  'omni-video': 'Best for combining people, objects and places in a short clip',
  'omni-video-flash': 'Best for quick takes of what Omni Video makes',
  'vidmodel-c-2': 'Best for finished clips, with frames, sound and up to 4K',
  'vidmodel-c-2-fast': 'Best for trying out a clip before it is made on C 2',
  'vidmodel-c-2-mini': 'Best for drafts of clips at the lowest price',
  'vidmodel-c-2.5': 'Best for long takes and many references',
  'lipsync-v3': 'Best for making a speaker say another recording',
} as const satisfies Record<ModelId, string>;
