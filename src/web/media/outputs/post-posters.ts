import { serviceMediaSrc } from '#web/api/reference-info.ts';
import type { SocialPost } from './read-output-data.ts';

const SAMPLE_ID = /^sample-\d{3}$/;
const MAX_SLIDES = 10;

export interface PostPosters {
  /** Pictures that the page may load, the cover first. */
  stills: readonly string[];
  /** An animated picture. */
  clip: string | null;
  isSample: boolean;
}

/**
 * The pictures of a post. Samples are drawn by this service. Pictures of other servers are not loaded, because those would
 * learn who views the results.
 */
export function postPosters({ id, url, coverUrl, image_urls, isCarousel }: SocialPost): PostPosters {
  const isSample = SAMPLE_ID.test(id) && url !== null && new URL(url).hostname === 'example.com';
  if (isSample) {
    const count = isCarousel ? Math.min(MAX_SLIDES, Math.max(1, image_urls.length)) : 1;
    const stills = Array.from({ length: count }, (_, at) => `/samples/${id}${at === 0 ? '' : `-${at}`}.webp`);
    return { stills, clip: isCarousel ? null : `/samples/${id}-clip.webp`, isSample };
  }
  const own = [coverUrl, ...image_urls].flatMap((each) => (each && serviceMediaSrc(each)) ?? []);
  return { stills: [...new Set(own)].slice(0, MAX_SLIDES), clip: null, isSample };
}
