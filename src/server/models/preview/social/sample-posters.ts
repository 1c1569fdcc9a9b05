import type { SearchItem } from '#contract/resources/output-data.ts';
import type { Painting } from '#server/models/preview/painting.ts';
import { hashText } from '#server/models/preview/random.ts';
import { readTheme } from '#server/models/preview/theme.ts';
import { createCorpusLoader } from './corpus.ts';

/** The ratios of posts on the platforms, as sizes that are small to send. */
const SIZES = [
  { width: 324, height: 576 },
  { width: 360, height: 450 },
  { width: 360, height: 360 },
] as const;
const CLIP = { width: 216, height: 384 };
const TIMEOUT_MS = 30_000;

export interface SamplePosters {
  /** Picture of a sample post as WebP. @param at its place in a carousel; null where there is no such picture */
  still(id: string, at: number): Promise<Buffer | null>;
  /** Two seconds of a sample post, as animated WebP; null for carousels and unknown posts. */
  clip(id: string): Promise<Buffer | null>;
}

/** Draws the sample posts from the words of their captions. Each is drawn once and then kept in memory. */
export function createSamplePosters(
  painting: Pick<Painting, 'paintPoster'>,
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
        const request = { kind: 'still', ...posterSize(post), theme: themeOf(post, at), ...PLAIN } as const;
        return painting.paintPoster(request, { isAnimated: false }, AbortSignal.timeout(TIMEOUT_MS));
      });
    },
    async clip(id) {
      const post = await findPost(id);
      if (post?.media_type !== 'video') return null;
      return drawOnce(`${id}/clip`, async () => {
        const request = { kind: 'still', ...CLIP, theme: themeOf(post, 0), ...PLAIN } as const;
        return painting.paintPoster(request, { isAnimated: true }, AbortSignal.timeout(TIMEOUT_MS));
      });
    },
  };
}

const PLAIN = { references: [], isTransparent: false } as const;

/** Videos are upright; carousels have one ratio each. */
function posterSize({ id, media_type }: SearchItem): (typeof SIZES)[number] {
  if (media_type === 'video') return SIZES[0];
  return SIZES[1 + (hashText(id) % (SIZES.length - 1))] ?? SIZES[1];
}

const themeOf = ({ id, caption, hashtags }: SearchItem, at: number) =>
  readTheme([caption?.replace(/\(sample post\)/, ''), ...(hashtags ?? [])].join(' '), id, hashText(`${id}/${at}`));
