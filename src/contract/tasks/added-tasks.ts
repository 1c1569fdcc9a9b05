import { defineTask } from '../task.ts';

/** Results of added models are what their provider returns. */
const output = { min_assets: 0, max_assets: null, data: 'any' } as const;

export const imageUpscale = defineTask({
  id: 'image.upscale',
  name: 'Upscale an image',
  label: 'Upscale',
  description: 'Make an image larger and sharper.',
  media_type: 'image',
  purpose: 'make_image',
  search_words: 'upscale enlarge sharpen resolution picture photo',
  tool_name: 'upscale_image',
  provenance: { parent: 'image', action: 'c2pa.resized' },
  models: {},
  output,
});

export const imageBackground = defineTask({
  id: 'image.background',
  name: 'Change a background',
  label: 'Background',
  description: 'Remove or replace the background of an image.',
  media_type: 'image',
  purpose: 'make_image',
  search_words: 'remove background cut out transparent picture photo',
  tool_name: 'change_background',
  provenance: { parent: 'image', action: 'c2pa.edited' },
  models: {},
  output,
});

export const videoUpscale = defineTask({
  id: 'video.upscale',
  name: 'Upscale a video',
  label: 'Upscale',
  description: 'Make a video larger and sharper.',
  media_type: 'video',
  purpose: 'edit_video',
  search_words: 'upscale enlarge sharpen resolution clip',
  tool_name: 'upscale_video',
  needs_ffmpeg: true,
  provenance: { parent: 'video', action: 'c2pa.resized' },
  models: {},
  output,
});

export const audioSpeech = defineTask({
  id: 'audio.speech',
  name: 'Create speech',
  label: 'Speech',
  description: 'Turn text into a spoken voice.',
  media_type: 'audio',
  purpose: 'make_sound',
  search_words: 'voice speech text to speech tts narrate read aloud',
  tool_name: 'create_speech',
  models: {},
  output,
});

export const audioMusic = defineTask({
  id: 'audio.music',
  name: 'Create music and sounds',
  label: 'Music',
  description: 'Turn a description into music or a sound effect.',
  media_type: 'audio',
  purpose: 'make_sound',
  search_words: 'music song sound effect audio generate',
  tool_name: 'create_music',
  models: {},
  output,
});

export const otherRun = defineTask({
  id: 'other.run',
  name: 'Run another model',
  label: 'Other models',
  description: 'Run a model that does none of the other kinds of work.',
  media_type: 'image',
  purpose: 'other',
  search_words: 'other model run 3d text',
  tool_name: 'run_model',
  models: {},
  output,
});
