import type { TaskId } from '#contract/ids.ts';

/** Words under which the palette finds a task, beside its name. */
export const TASK_WORDS = {
  'image.create': 'new picture photo text to image draw generate',
  'image.edit': 'change picture photo retouch combine inpaint',
  'video.create': 'new clip film animate text image to video generate',
  'video.edit': 'change clip film restyle',
  'video.lipsync': 'lip sync lips mouth talk speak dub voice',
  'video.trim': 'trim cut shorten crop length clip',
  'video.concat': 'join merge combine append clips together',
  'video.split_scenes': 'split scenes cuts shots',
  'video.extract_frame': 'save frame still screenshot thumbnail',
  'video.extract_audio': 'extract sound audio music mp3 wav',
  'video.add_audio': 'add sound music audio track voice over mix',
  'social.search': 'search find ideas trends posts inspiration',
} as const satisfies Record<TaskId, string>;

/** Places within pages, which have no entry in the navigation. */
export const PLACES = [
  { label: 'Theme and appearance', to: '/settings', words: 'settings dark light look' },
  { label: 'Notifications', to: '/settings', words: 'settings sound browser done' },
  { label: 'Your account', to: '/account', words: 'settings profile name mail passkeys sessions password' },
  { label: 'Trash', to: '/library/trash', words: 'deleted files restore' },
] as const;
