import type { SearchItem } from '#contract/resources/output.ts';
import type { MediaTools } from '../../media/media-tools.ts';
import type { Painters } from './render/paint.ts';

/** What every task of this engine works with. */
export interface Kit {
  tools: MediaTools;
  painters: Painters;
  /** The posts that a social search looks through. */
  corpus(): Promise<readonly SearchItem[]>;
}
