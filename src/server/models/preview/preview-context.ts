import type { SearchItem } from '#contract/resources/output-data.ts';
import type { MediaTools } from '#server/platform/media/media-tools.ts';
import type { Painting } from './painting.ts';

export interface PreviewContext {
  tools: MediaTools;
  painting: Painting;
  loadCorpus(): Promise<readonly SearchItem[]>;
}

/** Part of `data` of every result, so that nobody mistakes a preview for a model's output. */
export const PREVIEW_NOTE = {
  engine: 'preview',
  note: 'A placeholder of the embedded preview engine, colored by the words of the prompt. It is not the work of the model.',
} as const;
