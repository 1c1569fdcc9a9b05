/** What `data` of every result says, so that nobody takes a preview for the work of the model. */
export const PREVIEW_NOTE = {
  engine: 'preview',
  note: 'Made by the embedded preview engine, which paints from the words of the prompt. It is not the work of the model.',
} as const;
