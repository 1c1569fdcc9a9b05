import { defineTask } from '../task.ts';
import { sourceVideoField } from './fields.ts';

const SYNC_MODES = ['cut_off', 'loop', 'bounce', 'silence', 'remap'] as const;
export type SyncMode = (typeof SYNC_MODES)[number];

/** Spec: Task contracts: video.lipsync */
export const videoLipsync = defineTask({
  id: 'video.lipsync',
  name: 'Lip sync',
  label: 'Lip sync',
  description: 'Make a person in a video speak a recording.',
  media_type: 'video',
  purpose: 'sound',
  search_words: 'lip sync lips mouth talk speak dub voice',
  tool_name: 'lipsync_video',
  needs_ffmpeg: true,
  named_by: { field: 'video', edit: 'lip sync' },
  provenance: { parent: 'video', parts: 'audio', action: 'c2pa.dubbed' },
  models: {
    'lipsync-v3': {
      fields: [
        { ...sourceVideoField(), help: 'Video of the speaker.' },
        {
          kind: 'reference',
          name: 'audio',
          label: 'Audio',
          help: 'Speech to lip-sync.',
          group: 'main',
          media: 'audio',
          required: true,
          with_role: false,
        },
        {
          kind: 'choice',
          name: 'sync_mode',
          label: 'When lengths differ',
          help: 'Applies when the audio and the video differ in length.',
          group: 'sound',
          default: 'cut_off',
          options: SYNC_MODES,
          option_labels: {
            cut_off: 'Cut to the shorter',
            loop: 'Loop the video',
            bounce: 'Play back and forth',
            silence: 'Pad with silence',
            remap: 'Stretch the video',
          },
        },
      ],
      rules: [],
    },
  },
  output: { min_assets: 1, max_assets: null, data: 'any' },
});
