import { AudioLines, Clapperboard, Image as ImageIcon, type LucideIcon, Search } from 'lucide-react';
import type { TaskId } from '#contract/ids.ts';
import type { MediaKind } from '#contract/task.ts';

export const MEDIA_ICONS = {
  image: ImageIcon,
  video: Clapperboard,
  audio: AudioLines,
} as const satisfies Record<MediaKind, LucideIcon>;

const { image, video, audio } = MEDIA_ICONS;

export const TASK_ICONS = {
  'image.create': image,
  'image.edit': image,
  'social.search': Search,
  'video.add_audio': video,
  'video.concat': video,
  'video.create': video,
  'video.edit': video,
  'video.extract_audio': audio,
  'video.extract_frame': image,
  'video.lipsync': video,
  'video.split_scenes': video,
  'video.trim': video,
} as const satisfies Record<TaskId, LucideIcon>;
