import type { SearchItem } from '#contract/resources/output-data.ts';
import type { MediaTools } from '#server/media/media-tools.ts';
import type { Renderer } from './render/renderer.ts';

export interface PreviewContext {
  tools: MediaTools;
  renderer: Renderer;
  loadCorpus(): Promise<readonly SearchItem[]>;
}
