/** Part of `data` of every result, so that nobody mistakes a preview for a model's output. */
export const PREVIEW_NOTE = {
  engine: 'preview',
  note: 'Made by the embedded preview engine, which paints from the words of the prompt. It is not the work of the model.',
} as const;
