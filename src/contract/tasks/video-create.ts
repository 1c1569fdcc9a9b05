import { defineTask, type InputContract } from '../task.ts';
import {
  aspectRatioField,
  frameField,
  promptField,
  referenceImagesField,
  referencesField,
  resolutionField,
} from './fields.ts';

const PLACEHOLDER = 'Slow dolly through a foggy pine forest at sunrise, light shafts between the trunks';

const omniVideoContract = {
  fields: [
    promptField(1, null, PLACEHOLDER),
    aspectRatioField('9:16', ['9:16', '16:9']),
    {
      kind: 'choice',
      name: 'duration_seconds',
      label: 'Length',
      group: 'shape',
      default: 4,
      options: [4, 6, 8],
      unit: 's',
    },
    referenceImagesField(7, true),
    {
      kind: 'reference',
      name: 'reference_video',
      label: 'Reference video',
      help: 'A clip to take motion or style from.',
      group: 'references',
      media: 'video',
      nullable: true,
      with_role: true,
    },
    {
      kind: 'integer',
      name: 'seed',
      label: 'Seed',
      help: 'The same seed and prompt give the same result.',
      group: 'more',
      default: null,
      nullable: true,
      min: 0,
      max: 2_147_483_647,
      empty_label: 'Random',
    },
  ],
  rules: [
    {
      when: { field: 'reference_video', present: true },
      field: 'reference_images',
      max_items: 5,
      message: 'With a reference video, at most 5 reference images are possible.',
    },
  ],
} as const satisfies InputContract;

interface VideoModelLimits<Resolution extends string> {
  prompt_length: readonly [min: number, max: number];
  max_seconds: number;
  resolutions: readonly Resolution[];
  max_images: number;
  max_others: number;
}

export const generateAudioField = {
  kind: 'boolean',
  name: 'generate_audio',
  label: 'Generate audio',
  group: 'sound',
  default: true,
} as const;

const videoModelContract = <const Resolution extends string>(limits: VideoModelLimits<Resolution | '720p'>) =>
  ({
    fields: [
      promptField(...limits.prompt_length, PLACEHOLDER),
      aspectRatioField('9:16', ['16:9', '9:16', '4:3', '3:4', '1:1', '21:9', 'adaptive']),
      {
        kind: 'integer',
        name: 'duration_seconds',
        label: 'Length',
        group: 'shape',
        default: 8,
        min: 4,
        max: limits.max_seconds,
        unit: 's',
      },
      resolutionField('720p', limits.resolutions),
      generateAudioField,
      frameField('first_frame', 'Start frame', 'The clip starts with this image.'),
      frameField('last_frame', 'End frame', 'The clip ends with this image.'),
      referenceImagesField(limits.max_images, true),
      referencesField(
        'reference_videos',
        'Reference videos',
        'video',
        limits.max_others,
        'Clips to take motion or style from.',
      ),
      referencesField(
        'reference_audio',
        'Reference audio',
        'audio',
        limits.max_others,
        'Audio to take voice or rhythm from.',
      ),
    ],
    rules: [],
  }) as const satisfies InputContract;

const VIDMODEL_C2_LIMITS = {
  prompt_length: [3, 20_000],
  max_seconds: 15,
  resolutions: ['480p', '720p'],
  max_images: 9,
  max_others: 3,
} as const satisfies VideoModelLimits<string>;

/** Resolutions of vidmodel-c-2.5, which also edits. */
export const VIDMODEL_C25_RESOLUTIONS = ['480p', '720p', '1080p'] as const;

/** Spec: Task contracts: video.create. Decision: Requests */
export const videoCreate = defineTask({
  id: 'video.create',
  name: 'Create a video',
  label: 'New',
  description: 'A video from a text description, with or without reference images, videos and audio.',
  media_type: 'video',
  purpose: 'make_video',
  search_words: 'new clip film animate text image to video generate',
  tool_name: 'create_video',
  needs_ffmpeg: true,
  named_by: { field: 'first_frame', edit: 'animated' },
  models: {
    'omni-video': omniVideoContract,
    'omni-video-flash': omniVideoContract,
    'vidmodel-c-2': videoModelContract({ ...VIDMODEL_C2_LIMITS, resolutions: ['480p', '720p', '1080p', '4K'] }),
    'vidmodel-c-2-fast': videoModelContract(VIDMODEL_C2_LIMITS),
    'vidmodel-c-2-mini': videoModelContract(VIDMODEL_C2_LIMITS),
    'vidmodel-c-2.5': videoModelContract({
      prompt_length: [1, 30_000],
      max_seconds: 30,
      resolutions: VIDMODEL_C25_RESOLUTIONS,
      max_images: 30,
      max_others: 10,
    }),
  },
  output: { min_assets: 1, max_assets: null, data: 'any' },
});
