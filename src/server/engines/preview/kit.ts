import type { MediaTools } from '../../media/media-tools.ts';
import type { Painters } from './render/paint.ts';

/** What every task of this engine works with. */
export interface Kit {
  tools: MediaTools;
  painters: Painters;
}
