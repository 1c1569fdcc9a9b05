import type { SearchItem } from '#contract/resources/output-data.ts';
import type { InputOf } from '#contract/task-input.ts';

export type SocialSearchQuery = InputOf<'social.search'>;

const splitWords = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

const STOP_WORDS = new Set(['a', 'an', 'and', 'at', 'by', 'for', 'from', 'in', 'of', 'on', 'or', 'the', 'to', 'with']);

/** Returns the significant words and adjacent pairs as one word, like tags: "street food" matches #streetfood. */
function searchTerms(text: string): string[] {
  const all = splitWords(text);
  const words = all.filter((word) => !STOP_WORDS.has(word));
  const kept = words.length > 0 ? words : all;
  return [...kept, ...kept.slice(1).map((word, index) => `${kept[index]}${word}`)];
}

/** Whole words count more than prefixes, tags more than captions; 0 for no match. */
function relevance(item: SearchItem, terms: readonly string[]): number {
  const caption = splitWords(item.caption ?? '');
  const tags = (item.hashtags ?? []).map((tag) => tag.toLowerCase());
  const people = splitWords(`${item.creator.username ?? ''} ${item.creator.display_name ?? ''}`);
  const score = (word: string): number => {
    if (tags.includes(word)) return 3;
    if (caption.includes(word)) return 2;
    if (people.includes(word)) return 1.5;
    const begins = [...tags, ...caption].some((known) => word.length > 2 && known.startsWith(word));
    return begins ? 1 : 0;
  };
  return terms.reduce((sum, word) => sum + score(word), 0);
}

const views = (item: SearchItem): number => item.metrics?.views ?? 0;
const published = (item: SearchItem): number => Date.parse(item.published_at ?? '') || 0;

interface Scored {
  item: SearchItem;
  score: number;
}

const ORDERS = {
  relevance: (a, b) => b.score - a.score || views(b.item) - views(a.item),
  recent: (a, b) => published(b.item) - published(a.item),
  popular: (a, b) => views(b.item) - views(a.item),
} as const satisfies Record<SocialSearchQuery['sort'], (a: Scored, b: Scored) => number>;

/** Searches the posts of a platform within all limits. Spec: Task contracts: social.search */
export function searchPosts(corpus: readonly SearchItem[], query: SocialSearchQuery): SearchItem[] {
  const terms = searchTerms(query.query);
  const within = (item: SearchItem): boolean =>
    item.platform === query.platform &&
    item.media_type === query.media_type &&
    (query.min_views === null || views(item) >= query.min_views) &&
    (query.max_duration_seconds === null ||
      item.media_type === 'carousel' ||
      (item.duration_seconds ?? Number.POSITIVE_INFINITY) <= query.max_duration_seconds) &&
    (query.published_after === null || published(item) > Date.parse(query.published_after));
  return corpus
    .filter(within)
    .map((item) => ({ item, score: relevance(item, terms) }))
    .filter(({ score }) => score > 0)
    .toSorted(ORDERS[query.sort])
    .slice(0, query.limit)
    .map(({ item }) => item);
}
