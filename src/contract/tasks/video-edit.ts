import { defineTask } from '../task.ts';
import { promptField, referenceImagesField, referencesField, resolutionField, sourceVideoField } from './fields.ts';
import { VIDMODEL_C25_RESOLUTIONS, generateAudioField } from './video-create.ts';

/** Allowed length of the source. Spec: Task contracts: video.edit */
export const EDIT_SOURCE_SECONDS = { min: 4, max: 30 } as const;
/** Allowed length of each reference video; source and references together may have `EDIT_SOURCE_SECONDS.max`. */
export const EDIT_REFERENCE_SECONDS = { min: 2, max: 30 } as const;

/** Spec: Task contracts: video.edit */
export const videoEdit = defineTask({
  id: 'video.edit',
  name: 'Edit a video',
  label: 'Edit',
  description: 'Change a video of 4 to 30 seconds from a text description. Its length and shape stay the same.',
  media_type: 'video',
  purpose: 'edit_video',
  search_words: 'change clip film restyle',
  tool_name: 'edit_video',
  needs_ffmpeg: true,
  named_by: { field: 'video', edit: 'edited' },
  provenance: { parent: 'video', action: 'c2pa.edited' },
  models: {
    'vidmodel-c-2.5': {
      fields: [
        { ...sourceVideoField(true), help: 'The video to change, 4 to 30 seconds long.', seconds: EDIT_SOURCE_SECONDS },
        promptField(1, 30_000, 'Turn the street into a canal, keep the people unchanged'),
        resolutionField('720p', VIDMODEL_C25_RESOLUTIONS),
        generateAudioField,
        referencesField(
          'reference_videos',
          'Reference videos',
          'video',
          9,
          '2 to 30 seconds each; together with the source at most 30 seconds.',
        ),
        referenceImagesField(30, true),
        referencesField('reference_audio', 'Reference audio', 'audio', 10, 'Audio to take voice or rhythm from.'),
      ],
      rules: [],
    },
  },
  output: { min_assets: 1, max_assets: null, data: 'any' },
});
