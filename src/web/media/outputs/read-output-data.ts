import { isObject } from '#web/ui/is-object.ts';
import { formatNumber } from '#web/ui/formats.ts';

/** `output.data` has no fixed schema: a service may send more or less than expected. */
export type OutputData = Readonly<Record<string, unknown>> | null;

export interface Scene {
  asset_index: number;
  start_seconds: number;
  end_seconds: number;
}

const readRecords = (value: unknown) => (Array.isArray(value) ? value.filter(isObject) : []);
const readText = (value: unknown) => (typeof value === 'string' && value !== '' ? value : null);
const readNumber = (value: unknown) => (typeof value === 'number' && Number.isFinite(value) ? value : null);

export function readScenes(data: OutputData): Scene[] {
  return readRecords(data?.['scenes']).flatMap((scene) => {
    const [asset_index, start_seconds, end_seconds] = [
      scene['asset_index'],
      scene['start_seconds'],
      scene['end_seconds'],
    ].map(readNumber);
    return typeof asset_index === 'number' && typeof start_seconds === 'number' && typeof end_seconds === 'number'
      ? [{ asset_index, start_seconds, end_seconds }]
      : [];
  });
}

export interface SocialPost {
  id: string;
  url: string | null;
  caption: string | null;
  creator: string;
  hashtags: string[];
  coverUrl: string | null;
  image_urls: string[];
  duration_seconds: number | null;
  published_at: string | null;
  views: number | null;
  likes: number | null;
  comments: number | null;
  shares: number | null;
  isCarousel: boolean;
}

/** Accepts HTTPS only, so that a hostile result can't inject a `javascript:` URL. */
export const readHttpsUrl = (value: unknown): string | null => {
  const url = readText(value);
  return url && URL.canParse(url) && new URL(url).protocol === 'https:' ? url : null;
};

export function readPosts(data: OutputData): SocialPost[] {
  return readRecords(data?.['videos']).map((post, index) => {
    const creator = isObject(post['creator']) ? post['creator'] : {};
    const metrics = isObject(post['metrics']) ? post['metrics'] : {};
    const images: unknown[] = Array.isArray(post['image_urls']) ? post['image_urls'] : [];
    const tags: unknown[] = Array.isArray(post['hashtags']) ? post['hashtags'] : [];
    return {
      id: readText(post['id']) ?? String(index),
      url: readHttpsUrl(post['url']),
      caption: readText(post['caption']),
      creator: readText(creator['display_name']) ?? readText(creator['username']) ?? 'Unknown creator',
      hashtags: tags.flatMap((tag) => readText(tag) ?? []),
      coverUrl: readHttpsUrl(post['thumbnail_url']) ?? readHttpsUrl(images[0]),
      image_urls: images.flatMap((image) => readHttpsUrl(image) ?? []),
      duration_seconds: readNumber(post['duration_seconds']),
      published_at: readText(post['published_at']),
      views: readNumber(metrics['views']),
      likes: readNumber(metrics['likes']),
      comments: readNumber(metrics['comments']),
      shares: readNumber(metrics['shares']),
      isCarousel: post['media_type'] === 'carousel',
    };
  });
}

const yesOrNo = (value: boolean) => (value ? 'Yes' : 'No');

export function readOutputFacts(data: OutputData): { name: string; text: string }[] {
  return Object.entries(data ?? {}).flatMap(([key, value]) => {
    if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return [];
    const name = key.replaceAll('_', ' ');
    const text = typeof value === 'number' ? formatNumber(value) : typeof value === 'string' ? value : yesOrNo(value);
    return [{ name: name.charAt(0).toUpperCase() + name.slice(1), text }];
  });
}

export function formatTimecode(seconds: number): string {
  const tenths = Math.round(seconds * 10);
  const [minutes, rest] = [Math.floor(tenths / 600), tenths % 600];
  return `${minutes}:${String(Math.floor(rest / 10)).padStart(2, '0')}${rest % 10 ? `.${rest % 10}` : ''}`;
}

export const formatTimeRange = (startSeconds: number, endSeconds: number) =>
  `${formatTimecode(startSeconds)} – ${formatTimecode(endSeconds)}`;
