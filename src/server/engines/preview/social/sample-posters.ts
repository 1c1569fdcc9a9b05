import type { SearchItem } from '#contract/resources/output-data.ts';
import { readPrompt } from '../brief/brief.ts';
import { hashText } from '../random.ts';
import { createRenderer, type Renderer } from '../render/renderer.ts';
import { createCorpusLoader } from './corpus.ts';

/** The ratios of posts on the platforms, as sizes that are small to send. */
const SIZES = [
  { width_px: 324, height_px: 576 },
  { width_px: 360, height_px: 450 },
  { width_px: 360, height_px: 360 },
] as const;
const CLIP = { width_px: 216, height_px: 384, frames: 24, fps: 12 };
const TIMEOUT_MS = 30_000;

export interface SamplePosters {
  /** Picture of a sample post as WebP. @param at its place in a carousel; null where there is no such picture */
  still(id: string, at: number): Promise<Buffer | null>;
  /** Two seconds of a sample post, as animated WebP; null for carousels and unknown posts. */
  clip(id: string): Promise<Buffer | null>;
}

/** Draws the sample posts from the words of their captions. Each is drawn once and then kept in memory. */
export function createSamplePosters(
  renderer: Renderer = createRenderer(1),
  loadPosts: () => Promise<readonly SearchItem[]> = createCorpusLoader(null),
): SamplePosters {
  const drawn = new Map<string, Promise<Buffer>>();
  const drawOnce = (key: string, draw: () => Promise<Buffer>): Promise<Buffer> => {
    const known = drawn.get(key);
    if (known) return known;
    const drawing = draw();
    drawn.set(key, drawing);
    drawing.catch(() => drawn.delete(key));
    return drawing;
  };
  const findPost = async (id: string) => (await loadPosts()).find((post) => post.id === id);

  return {
    async still(id, at) {
      const post = await findPost(id);
      if (!post || at >= Math.max(1, post.image_urls?.length ?? 0)) return null;
      return drawOnce(`${id}/${at}`, async () => {
        const size = posterSize(post);
        const paint = {
          kind: 'still',
          brief: briefOf(post, at),
          ...size,
          detail: 0.75,
          cutout: false,
          prints: [],
        } as const;
        const { rgba } = await renderer.still(paint, AbortSignal.timeout(TIMEOUT_MS));
        const raw = { width: size.width_px, height: size.height_px, channels: 4 as const };
        const { default: sharp } = await import('sharp');
        return sharp(rgba, { raw }).removeAlpha().webp({ quality: 74 }).toBuffer();
      });
    },
    async clip(id) {
      const post = await findPost(id);
      if (post?.media_type !== 'video') return null;
      return drawOnce(`${id}/clip`, async () => {
        const request = { kind: 'clip', veil: false, brief: briefOf(post, 0), ...CLIP, detail: 0.75 } as const;
        const materials = { first: null, last: null, prints: [], boxes: [] };
        const frames: Uint8Array[] = [];
        for await (const frame of renderer.clip({ ...request, ...materials }, AbortSignal.timeout(TIMEOUT_MS)))
          frames.push(Uint8Array.from(frame));
        // Back and forth, so that the loop has no jump.
        const loop = [...frames, ...frames.slice(1, -1).toReversed()];
        const raw = {
          width: CLIP.width_px,
          height: CLIP.height_px * loop.length,
          channels: 4 as const,
          pageHeight: CLIP.height_px,
        };
        const delay = loop.map(() => Math.round(1000 / CLIP.fps));
        const { default: sharp } = await import('sharp');
        return sharp(Buffer.concat(loop), { raw })
          .removeAlpha()
          .webp({ quality: 60, effort: 2, loop: 0, delay })
          .toBuffer();
      });
    },
  };
}

/** Videos are upright; carousels have one ratio each. */
function posterSize({ id, media_type }: SearchItem): (typeof SIZES)[number] {
  if (media_type === 'video') return SIZES[0];
  return SIZES[1 + (hashText(id) % (SIZES.length - 1))] ?? SIZES[1];
}

const briefOf = ({ id, caption, hashtags }: SearchItem, at: number) =>
  readPrompt([caption?.replace(/\(sample post\)/, ''), ...(hashtags ?? [])].join(' '), id, hashText(`${id}/${at}`));
