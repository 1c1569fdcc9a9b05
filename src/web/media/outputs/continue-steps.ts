import type { TaskId } from '#contract/ids.ts';
import type { MediaKind } from '#contract/task.ts';
import { inputContract, knownTasks, modelsForTask } from '#web/api/known-models.ts';
import type { Slot } from '#web/api/model-slots.ts';

export interface ContinueStep {
  id: string;
  label: string;
  /** What it does, for a tooltip. */
  hint: string;
  /** Where the medium goes; the first that a model has. */
  slots: readonly [Slot, ...Slot[]];
  /** Fills in the prompt as well. */
  withPrompt?: true;
  /** Saves the last frame of the clip and continues with that. */
  fromLastFrame?: true;
  /** Starts at once: it is free and needs nothing else. */
  startsAtOnce?: true;
}

const slot = (task: TaskId, field: string): Slot => ({ task, field });
const VIDEO_FRAME = slot('video.create', 'first_frame');

/** The usual next steps for a kind of media, the most frequent first. */
export const CONTINUE_STEPS = {
  image: [
    {
      id: 'animate',
      label: 'Animate',
      hint: 'Make a video that starts or ends with it',
      slots: [VIDEO_FRAME, slot('video.create', 'reference_images')],
      withPrompt: true,
    },
    { id: 'edit', label: 'Edit', hint: 'Describe what to change', slots: [slot('image.edit', 'images')] },
    {
      id: 'style',
      label: 'Use as style',
      hint: 'Add it to the references of a new image',
      slots: [slot('image.create', 'reference_images')],
    },
  ],
  video: [
    {
      id: 'extend',
      label: 'Extend from the last frame',
      hint: 'Save its last frame, free, and start the next clip with it',
      slots: [VIDEO_FRAME],
      fromLastFrame: true,
    },
    { id: 'trim', label: 'Trim', hint: 'Keep one part of it', slots: [slot('video.trim', 'video')] },
    {
      id: 'add_sound',
      label: 'Add sound',
      hint: 'Replace or mix its sound',
      slots: [slot('video.add_audio', 'video')],
    },
    { id: 'lip_sync', label: 'Lip sync', hint: 'Make a person speak', slots: [slot('video.lipsync', 'video')] },
    {
      id: 'save_frame',
      label: 'Save frame',
      hint: 'Save the frame on screen, free',
      slots: [slot('video.extract_frame', 'video')],
      startsAtOnce: true,
    },
  ],
  audio: [
    { id: 'lip_sync', label: 'Lip sync', hint: 'Make a person speak it', slots: [slot('video.lipsync', 'audio')] },
    { id: 'add_sound', label: 'Add to a video', hint: 'As its sound', slots: [slot('video.add_audio', 'audio')] },
    {
      id: 'voice',
      label: 'Use in a new video',
      hint: 'Take voice or rhythm from it',
      slots: [slot('video.create', 'reference_audio')],
    },
  ],
} as const satisfies Record<MediaKind, readonly ContinueStep[]>;

function mediaRequirement(task: TaskId, media: MediaKind): 'required' | 'optional' | null {
  const models = modelsForTask(task);
  const contracts = (models.length > 0 ? models : [null]).flatMap((model) => inputContract(task, model) ?? []);
  const fields = contracts.flatMap((contract) => contract.fields).filter((field) => 'media' in field);
  const required = new Set(fields.flatMap((field) => (field.required ? [field.media] : [])));
  if (required.has(media)) return 'required';
  // A task that works on other media can't begin with these.
  return required.size === 0 && fields.some((field) => field.media === media) ? 'optional' : null;
}

/** Tasks that require the media come first. */
export function tasksForMedia(media: MediaKind): TaskId[] {
  const tasks = knownTasks().map((task) => ({ task, requirement: mediaRequirement(task, media) }));
  return [
    ...tasks.filter(({ requirement }) => requirement === 'required'),
    ...tasks.filter(({ requirement }) => requirement === 'optional'),
  ].map(({ task }) => task);
}

/** Tasks for the media to which none of the usual steps leads. */
export function otherTasks(media: MediaKind): TaskId[] {
  const steps: readonly ContinueStep[] = CONTINUE_STEPS[media];
  const covered = new Set(
    steps.filter((step) => !step.fromLastFrame).flatMap(({ slots }) => slots.map(({ task }) => task)),
  );
  // It has a dialog of its own.
  return tasksForMedia(media).filter((task) => !covered.has(task) && task !== 'image.transform');
}
