/** Spec: What the service does */
export const TASK_IDS = [
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
