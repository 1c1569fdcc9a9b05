import { defineTask } from '../task.ts';
import { secondsField, sourceVideoField } from './fields.ts';

/** Spec: Task contracts: video.trim */
export const videoTrim = defineTask({
  id: 'video.trim',
  name: 'Trim a video',
  description: 'Keep one part of a video, exact to the frame.',
  media_type: 'video',
  purpose: 'edit_video',
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
  description: 'Join 2 to 8 videos into one. The first one sets size and frame rate.',
  media_type: 'video',
  purpose: 'edit_video',
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
  description: 'Save one frame of a video as an image.',
  media_type: 'image',
  purpose: 'edit_video',
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
  description: 'Detect the cuts of a video and save each scene as a separate clip.',
  media_type: 'video',
  purpose: 'edit_video',
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

/** Spec: Task contracts: video.extract_audio */
export const videoExtractAudio = defineTask({
  id: 'video.extract_audio',
  name: 'Extract audio',
  description: 'Save the audio track of a video as a file.',
  media_type: 'audio',
  purpose: 'sound',
  input: {
    fields: [
      sourceVideoField(),
      {
        kind: 'choice',
        name: 'format',
        label: 'File format',
        group: 'shape',
        default: 'mp3',
        options: ['mp3', 'wav', 'aac'],
        option_labels: { mp3: 'MP3', wav: 'WAV', aac: 'AAC' },
      },
      {
        kind: 'choice',
        name: 'bitrate',
        label: 'Bitrate',
        help: 'Higher sounds better and makes larger files. WAV is always uncompressed.',
        group: 'shape',
        default: '192k',
        options: ['128k', '192k', '320k'],
      },
    ],
    rules: [],
  },
  output: { min_assets: 1, max_assets: 1, data: 'any' },
});

/** Spec: Task contracts: video.add_audio */
export const videoAddAudio = defineTask({
  id: 'video.add_audio',
  name: 'Add audio',
  description: 'Replace the audio of a video or mix another track into it.',
  media_type: 'video',
  purpose: 'sound',
  input: {
    fields: [
      sourceVideoField(),
      {
        kind: 'reference',
        name: 'audio',
        label: 'Audio',
        help: 'The audio to add. It is cut or padded to the length of the video.',
        group: 'main',
        media: 'audio',
        required: true,
        with_role: false,
      },
      {
        kind: 'choice',
        name: 'mode',
        label: 'Mode',
        group: 'sound',
        default: 'replace',
        options: ['replace', 'mix'],
        option_labels: { replace: 'Replace the audio', mix: 'Mix with the audio' },
      },
      {
        kind: 'number',
        name: 'audio_volume',
        label: 'Volume of the added audio',
        help: '1 leaves the volume unchanged.',
        group: 'sound',
        default: 1,
        min: 0,
        max: 2,
        step: 0.05,
        unit: '×',
      },
      {
        kind: 'number',
        name: 'original_audio_volume',
        label: 'Volume of the original audio',
        help: 'Used when the two are mixed. 1 leaves the volume unchanged.',
        group: 'sound',
        default: null,
        nullable: true,
        min: 0,
        max: 2,
        step: 0.05,
        unit: '×',
        empty_label: 'Normal',
      },
    ],
    rules: [],
  },
  output: { min_assets: 1, max_assets: 1, data: 'any' },
});
