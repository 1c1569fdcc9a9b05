import { defineTask } from '../task.ts';

/** Results of added models are what their provider returns. */
const output = { min_assets: 0, max_assets: null, data: 'any' } as const;

export const imageUpscale = defineTask({
  id: 'image.upscale',
  name: 'Upscale an image',
  description: 'Make an image larger and sharper.',
  media_type: 'image',
  purpose: 'make_image',
  models: {},
  output,
});

export const imageBackground = defineTask({
  id: 'image.background',
  name: 'Change a background',
  description: 'Remove or replace the background of an image.',
  media_type: 'image',
  purpose: 'make_image',
  models: {},
  output,
});

export const videoUpscale = defineTask({
  id: 'video.upscale',
  name: 'Upscale a video',
  description: 'Make a video larger and sharper.',
  media_type: 'video',
  purpose: 'edit_video',
  models: {},
  output,
});

export const audioSpeech = defineTask({
  id: 'audio.speech',
  name: 'Create speech',
  description: 'Turn text into a spoken voice.',
  media_type: 'audio',
  purpose: 'make_sound',
  models: {},
  output,
});

export const audioMusic = defineTask({
  id: 'audio.music',
  name: 'Create music and sounds',
  description: 'Turn a description into music or a sound effect.',
  media_type: 'audio',
  purpose: 'make_sound',
  models: {},
  output,
});

export const otherRun = defineTask({
  id: 'other.run',
  name: 'Run another model',
  description: 'Run a model that does none of the other kinds of work.',
  media_type: 'image',
  purpose: 'other',
  models: {},
  output,
});
