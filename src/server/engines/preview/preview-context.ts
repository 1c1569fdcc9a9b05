import type { SearchItem } from '#contract/resources/output-data.ts';
import type { MediaTools } from '#server/media/media-tools.ts';
import type { Renderer } from './render/renderer.ts';

export interface PreviewContext {
  tools: MediaTools;
  renderer: Renderer;
  loadCorpus(): Promise<readonly SearchItem[]>;
}

/** Part of `data` of every result, so that nobody mistakes a preview for a model's output. */
export const PREVIEW_NOTE = {
  engine: 'preview',
  note: 'Made by the embedded preview engine, which paints from the words of the prompt. It is not the work of the model.',
} as const;
