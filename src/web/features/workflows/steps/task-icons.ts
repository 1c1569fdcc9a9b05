import { AudioLines, Box, Clapperboard, Image as ImageIcon, type LucideIcon, Search } from 'lucide-react';
import { TASKS } from '#contract/catalog.ts';
import { TASK_IDS, type TaskId } from '#contract/ids.ts';
import type { MediaKind, TaskPurpose } from '#contract/task.ts';

export const MEDIA_ICONS = {
  image: ImageIcon,
  video: Clapperboard,
  audio: AudioLines,
} as const satisfies Record<MediaKind, LucideIcon>;

/** Of purposes that are not known by the kind of media. */
const PURPOSE_ICONS: Partial<Record<TaskPurpose, LucideIcon>> = { find_ideas: Search, other: Box };

const findIcon = (task: TaskId): LucideIcon => {
  const { purpose, media_type } = TASKS[task];
  return PURPOSE_ICONS[purpose] ?? MEDIA_ICONS[media_type];
};

// The compiler does not know the keys of Object.fromEntries.
export const TASK_ICONS = Object.fromEntries(TASK_IDS.map((task) => [task, findIcon(task)])) as Readonly<
  Record<TaskId, LucideIcon>
>;
