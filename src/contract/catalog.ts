import {
  type AddedTaskId,
  ADDED_TASK_IDS,
  type AnyModelId,
  EXTRA_TASK_IDS,
  type ExtraTaskId,
  type ModelId,
  type TaskId,
} from './ids.ts';
import type { InputContract, TaskContract } from './task.ts';
import { audioMusic, audioSpeech, imageBackground, imageUpscale, otherRun, videoUpscale } from './tasks/added-tasks.ts';
import { imageCreate } from './tasks/image-create.ts';
import { imageEdit } from './tasks/image-edit.ts';
import { imageTransform } from './tasks/picture-tools.ts';
import { socialSearch } from './tasks/social-search.ts';
import { videoAddAudio, videoExtractAudio } from './tasks/sound-tools.ts';
import { videoCreate } from './tasks/video-create.ts';
import { videoEdit } from './tasks/video-edit.ts';
import { videoLipsync } from './tasks/video-lipsync.ts';
import { videoConcat, videoExtractFrame, videoSplitScenes, videoTrim } from './tasks/video-tools.ts';

/** Every task. Spec: What the service does */
export const TASKS = {
  'image.create': imageCreate,
  'image.edit': imageEdit,
  'video.create': videoCreate,
  'video.edit': videoEdit,
  'video.lipsync': videoLipsync,
  'video.trim': videoTrim,
  'video.concat': videoConcat,
  'video.extract_frame': videoExtractFrame,
  'video.split_scenes': videoSplitScenes,
  'video.extract_audio': videoExtractAudio,
  'video.add_audio': videoAddAudio,
  'social.search': socialSearch,
  'image.transform': imageTransform,
  'image.upscale': imageUpscale,
  'image.background': imageBackground,
  'video.upscale': videoUpscale,
  'audio.speech': audioSpeech,
  'audio.music': audioMusic,
  'other.run': otherRun,
} as const satisfies Record<TaskId, TaskContract>;

/** Spec: Catalog: models and tasks */
export const MODEL_NAMES = {
  'omni-video': 'Omni Video',
  'omni-video-flash': 'Omni Video Flash',
  'imgmodel-a-2': 'ImgModel A 2',
  'imgmodel-a-2.5-flare': 'ImgModel A 2.5 Flare',
  'imgmodel-a-2.5-sunburst': 'ImgModel A 2.5 Sunburst',
  'imgmodel-b-2': 'ImgModel B 2',
  'imgmodel-b-2-lite': 'ImgModel B 2 Lite',
  'imgmodel-b-pro': 'ImgModel B Pro',
  'vidmodel-c-2': 'VidModel C 2',
  'vidmodel-c-2-fast': 'VidModel C 2 Fast',
  'vidmodel-c-2-mini': 'VidModel C 2 Mini',
  'vidmodel-c-2.5': 'VidModel C 2.5',
  'imgmodel-d-5-pro': 'ImgModel D 5 Pro',
  'lipsync-v3': 'Lipsync v3',
} as const satisfies Record<ModelId, string>;

export const isTaskId = (id: string): id is TaskId => Object.hasOwn(TASKS, id);
export const isModelId = (id: string): id is ModelId => Object.hasOwn(MODEL_NAMES, id);

export const isAddedTaskId = (id: string): id is AddedTaskId => ADDED_TASK_IDS.some((task) => task === id);

export const isExtraTaskId = (id: string): id is ExtraTaskId => EXTRA_TASK_IDS.some((task) => task === id);

/** Whether a task runs on models; those of an organization may be added. */
export const hasModels = (task: TaskId): boolean => 'models' in TASKS[task];

/** Returns the built-in models that run a task, in catalog order; empty for a task without models. */
export function modelsForTask(task: TaskId): ModelId[] {
  const contract: TaskContract = TASKS[task];
  return 'models' in contract ? Object.keys(contract.models).filter(isModelId) : [];
}

/**
 * Returns the input contract of a task on a built-in model (null for a task without models), or undefined if the pair
 * does not exist.
 */
export function inputContract(task: TaskId, model: AnyModelId | null): InputContract | undefined {
  const contract: TaskContract = TASKS[task];
  if ('input' in contract) return model === null ? contract.input : undefined;
  return model === null || !isModelId(model) ? undefined : contract.models[model];
}
