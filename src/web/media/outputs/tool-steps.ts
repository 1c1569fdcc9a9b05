import type { TaskId } from '#contract/ids.ts';
import type { MediaKind } from '#contract/task.ts';
import { modelsForTask } from '#web/api/known-models.ts';

interface ToolStep {
  task: TaskId;
  media: MediaKind;
  label: string;
  hint: string;
  /** A model that takes a prompt does something else, such as another background. */
  isWithoutPrompt?: true;
}

/** Steps that need nothing but a file. */
export const TOOL_STEPS: readonly ToolStep[] = [
  { task: 'image.upscale', media: 'image', label: 'Upscale', hint: 'Make it larger and sharper' },
  {
    task: 'image.background',
    media: 'image',
    label: 'Remove background',
    hint: 'Cut out what is in front',
    isWithoutPrompt: true,
  },
  { task: 'video.upscale', media: 'video', label: 'Upscale', hint: 'Make it larger and sharper' },
];

/** Whether a model may do one of them. */
export const hasToolModels = (type: MediaKind): boolean =>
  TOOL_STEPS.some(({ task, media }) => media === type && modelsForTask(task).length > 0);
