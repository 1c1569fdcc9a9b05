/** Spec: What the service does */
export const BUILT_IN_TASK_IDS = [
  'image.create',
  'image.edit',
  'video.create',
  'video.edit',
  'video.lipsync',
  'video.trim',
  'video.concat',
  'video.extract_frame',
  'video.split_scenes',
  'video.extract_audio',
  'video.add_audio',
  'social.search',
] as const;
export type BuiltInTaskId = (typeof BUILT_IN_TASK_IDS)[number];
/** Work that this service does beside the tasks of the interface; its catalog lists it apart. Decision: Tasks and models */
export const EXTRA_TASK_IDS = ['image.transform'] as const;
export type ExtraTaskId = (typeof EXTRA_TASK_IDS)[number];
/** Kinds of work that only added models do. They exist once a model of theirs is published. */
export const ADDED_TASK_IDS = [
  'image.upscale',
  'image.background',
  'video.upscale',
  'audio.speech',
  'audio.music',
  'other.run',
] as const;
export type AddedTaskId = (typeof ADDED_TASK_IDS)[number];
export const TASK_IDS = [...BUILT_IN_TASK_IDS, ...EXTRA_TASK_IDS, ...ADDED_TASK_IDS] as const;
export type TaskId = (typeof TASK_IDS)[number];

/** Spec: Catalog: models and tasks */
export const MODEL_IDS = [
  'omni-video',
  'omni-video-flash',
  'imgmodel-a-2',
  'imgmodel-a-2.5-flare',
  'imgmodel-a-2.5-sunburst',
  'imgmodel-b-2',
  'imgmodel-b-2-lite',
  'imgmodel-b-pro',
  'vidmodel-c-2',
  'vidmodel-c-2-fast',
  'vidmodel-c-2-mini',
  'vidmodel-c-2.5',
  'imgmodel-d-5-pro',
  'lipsync-v3',
] as const;
export type ModelId = (typeof MODEL_IDS)[number];

/** A model that an administrator added. The ids of built-in models do not begin like this. */
export type AddedModelId = `added-${string}`;
export type AnyModelId = ModelId | AddedModelId;
const ADDED_MODEL_PATTERN = /^added-[a-z0-9]+(?:-[a-z0-9]+)*$/;
export const MAX_MODEL_ID_CHARACTERS = 64;

export const isAddedModelId = (id: string): id is AddedModelId =>
  id.length <= MAX_MODEL_ID_CHARACTERS && ADDED_MODEL_PATTERN.test(id);
