import { AudioLines, Box, Clapperboard, Image as ImageIcon, type LucideIcon, Search } from 'lucide-react';
import type { TaskId } from '#contract/ids.ts';
import type { MediaKind } from '#contract/task.ts';

export const MEDIA_ICONS = {
  image: ImageIcon,
  video: Clapperboard,
  audio: AudioLines,
} as const satisfies Record<MediaKind, LucideIcon>;

const { image, video, audio } = MEDIA_ICONS;

export const TASK_ICONS = {
  'audio.music': audio,
  'audio.speech': audio,
  'image.background': image,
  'image.create': image,
  'image.edit': image,
  'image.upscale': image,
  'other.run': Box,
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
  'video.upscale': video,
} as const satisfies Record<TaskId, LucideIcon>;
