import type { SocialPost } from './read-output-data.ts';

const LINKS = /https?:\/\/\S+/g;
const TAGS_AND_MENTIONS = /[#@][\p{L}\p{N}_.]+/gu;
const EMOJI = /[\p{Extended_Pictographic}\u{FE0F}\u{200D}]/gu;
/** Remarks in brackets at the end, such as “(sample post)”, say nothing about the picture. */
const REMARK = /\([^()]*\)$/;
const MAX_TAGS = 5;

const normalize = (text: string) => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');

/** A prompt from the words of a post: its caption without links, mentions and emoji, then the tags that add something. */
export function promptFromPost({ caption, hashtags }: Pick<SocialPost, 'caption' | 'hashtags'>): string {
  const text = (caption ?? '')
    .replaceAll(LINKS, ' ')
    .replaceAll(TAGS_AND_MENTIONS, ' ')
    .replaceAll(EMOJI, ' ')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ (?=[,.!?;:])/g, '')
    .trim()
    .trim()
    .replace(REMARK, '')
    .trim();
  const said = normalize(text);
  const tags = hashtags
    .map((tag) => tag.replace(/^#/, '').trim())
    .filter((tag) => tag !== '' && !said.includes(normalize(tag)))
    .slice(0, MAX_TAGS);
  return [text, tags.join(', ')].filter(Boolean).join(text.endsWith('.') ? ' ' : '. ');
}
