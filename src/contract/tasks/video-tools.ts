import { defineTask } from '../task.ts';
import { secondsField, sourceVideoField } from './fields.ts';

/** Spec: Task contracts: video.trim */
export const videoTrim = defineTask({
  id: 'video.trim',
  name: 'Trim a video',
  label: 'Trim',
  description: 'Keep one part of a video, exact to the frame.',
  media_type: 'video',
  purpose: 'edit_video',
  search_words: 'trim cut shorten crop length clip',
  tool_name: 'trim_video',
  needs_ffmpeg: true,
  named_by: { field: 'video', edit: 'trimmed' },
  provenance: { parent: 'video', action: 'c2pa.trimmed' },
  input: {
    fields: [
      sourceVideoField(),
      secondsField({
        name: 'start_seconds',
        label: 'Start',
        min: 0,
        max: null,
        default: 0,
        step: 0.1,
        time_of: 'video',
      }),
      secondsField({
        name: 'end_seconds',
        label: 'End',
        min: 0,
        max: null,
        required: true,
        step: 0.1,
        time_of: 'video',
      }),
    ],
    rules: [],
  },
  output: { min_assets: 1, max_assets: 1, data: 'duration' },
});

/** Spec: Task contracts: video.concat */
export const videoConcat = defineTask({
  id: 'video.concat',
  name: 'Join videos',
  label: 'Join',
  description: 'Join 2 to 8 videos into one. The first one sets size and frame rate.',
  media_type: 'video',
  purpose: 'edit_video',
  search_words: 'join merge combine append clips together',
  tool_name: 'concat_videos',
  needs_ffmpeg: true,
  named_by: { field: 'videos.0', edit: 'joined' },
  provenance: { parts: 'video' },
  input: {
    fields: [
      {
        kind: 'references',
        name: 'videos',
        label: 'Videos',
        help: '2 to 8 videos, in playing order.',
        group: 'main',
        media: 'video',
        required: true,
        min_items: 2,
        max_items: 8,
        with_role: false,
      },
    ],
    rules: [],
  },
  output: { min_assets: 1, max_assets: 1, data: 'duration' },
});

/** Spec: Task contracts: video.extract_frame */
export const videoExtractFrame = defineTask({
  id: 'video.extract_frame',
  name: 'Extract a frame',
  label: 'Save frame',
  description: 'Save one frame of a video as an image.',
  media_type: 'image',
  purpose: 'edit_video',
  search_words: 'save frame still screenshot thumbnail',
  tool_name: 'extract_frame',
  needs_ffmpeg: true,
  named_by: { field: 'video', edit: 'frame' },
  provenance: { parent: 'video', action: 'c2pa.converted' },
  input: {
    fields: [
      sourceVideoField(),
      secondsField({
        name: 'timestamp_seconds',
        label: 'Time',
        min: 0,
        max: null,
        default: 0,
        step: 0.1,
        time_of: 'video',
      }),
      {
        kind: 'choice',
        name: 'format',
        label: 'File format',
        group: 'shape',
        default: 'jpg',
        options: ['jpg', 'png', 'webp'],
        option_labels: { jpg: 'JPEG', png: 'PNG', webp: 'WebP' },
      },
    ],
    rules: [],
  },
  output: { min_assets: 1, max_assets: 1, data: 'dimensions' },
});

/** Spec: Task contracts: video.split_scenes */
export const videoSplitScenes = defineTask({
  id: 'video.split_scenes',
  name: 'Split into scenes',
  label: 'Split',
  description: 'Detect the cuts of a video and save each scene as a separate clip.',
  media_type: 'video',
  purpose: 'edit_video',
  search_words: 'split scenes cuts shots',
  tool_name: 'split_scenes',
  needs_ffmpeg: true,
  named_by: { field: 'video', edit: 'scene', is_numbered: true },
  provenance: { parent: 'video', action: 'c2pa.trimmed' },
  input: {
    fields: [
      sourceVideoField(true),
      {
        kind: 'number',
        name: 'threshold',
        label: 'Sensitivity threshold',
        help: 'Lower finds more scenes, higher finds fewer.',
        group: 'shape',
        default: 20,
        min: 1,
        max: 100,
      },
      secondsField({
        name: 'minimum_scene_length_seconds',
        label: 'Minimum scene length',
        help: 'Shorter scenes are merged with the scene before or after.',
        group: 'shape',
        min: 0,
        max: 60,
        default: 0,
        step: 0.5,
      }),
    ],
    rules: [],
  },
  output: { min_assets: 1, max_assets: null, data: 'scenes' },
});
