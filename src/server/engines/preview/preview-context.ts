import type { SearchItem } from '#contract/resources/output-data.ts';
import type { MediaTools } from '#server/media/media-tools.ts';
import type { Renderer } from './render/renderer.ts';

/** What every task of this engine works with. */
export interface PreviewContext {
  tools: MediaTools;
  renderer: Renderer;
  /** The posts that a social search looks through. */
  loadCorpus(): Promise<readonly SearchItem[]>;
}
