import type { InputContract, MediaKind } from '#contract/task.ts';
import { type FormValues, readReferences } from './form-values.ts';

/** A reference as prompts call it. */
export interface NamedReference {
  /** `@Image1`; images, videos and sounds are numbered separately. */
  mention: string;
  url: string;
  media: MediaKind;
}

const KIND_NAMES = { image: 'Image', video: 'Video', audio: 'Audio' } as const satisfies Record<MediaKind, string>;
const MENTION = /(?<![\p{L}\p{N}_@])@(image|video|audio)(\d{1,3}|\?)(?![\p{L}\p{N}_])/giu;

/** Frames and masks are no references: a prompt does not name them. */
const nameableFields = ({ fields }: InputContract) =>
  fields.filter(
    (field) => field.kind === 'references' || (field.kind === 'reference' && field.group !== 'frames' && !field.mask),
  );

export const canNameReferences = (contract: InputContract): boolean => nameableFields(contract).length > 0;

/** Lists the references of a form, numbered in the order in which providers receive them. */
export function listNamedReferences(contract: InputContract, values: FormValues): NamedReference[] {
  const counts = { image: 0, video: 0, audio: 0 };
  return nameableFields(contract).flatMap((field) => {
    if (!('media' in field)) return [];
    const { media } = field;
    return readReferences(values[field.name]).map(({ url }) => {
      counts[media] += 1;
      return { mention: `@${KIND_NAMES[media]}${counts[media]}`, url, media };
    });
  });
}

/** A list may contain the same file twice. */
const keysOf = (references: readonly NamedReference[]): string[] =>
  references.map(
    ({ url, media }, at) =>
      `${media} ${url} ${references.slice(0, at).filter((other) => other.url === url && other.media === media).length}`,
  );

/** Renames the references that moved. One that is gone becomes `@Image?`, so that its name does not pass to another. */
export function renameMentions(
  prompt: string,
  before: readonly NamedReference[],
  after: readonly NamedReference[],
): string {
  const keys = keysOf(before);
  const next = new Map(keysOf(after).map((key, at) => [key, after[at]?.mention]));
  return prompt.replace(MENTION, (mention: string) => {
    const at = before.findIndex((reference) => isSameMention(reference.mention, mention));
    if (at < 0) return mention;
    return next.get(keys[at] ?? '') ?? mention.replace(/\d{1,3}$/, '?');
  });
}

/** Returns the names in a prompt that belong to no reference, each once. */
export const findUnknownMentions = (prompt: string, references: readonly NamedReference[]): string[] => [
  ...new Set(
    [...prompt.matchAll(MENTION)]
      .map(([mention]) => mention)
      .filter((mention) => !references.some((reference) => isSameMention(reference.mention, mention))),
  ),
];

/** Removes names from a prompt, with one of the spaces around each. */
export function removeMentions(prompt: string, mentions: readonly string[]): string {
  const found = [...prompt.matchAll(MENTION)].filter(([mention]) => mentions.includes(mention));
  return found.reduceRight((text, { index, 0: mention }) => {
    const [head, tail] = [text.slice(0, index), text.slice(index + mention.length)];
    return head.endsWith(' ') ? head.slice(0, -1) + tail : head + tail.replace(/^ /, '');
  }, prompt);
}

const isSameMention = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

/** The `@` that is being typed before the caret: its position and what follows it. */
export function findTypedMention(text: string, caret: number): { start: number; query: string } | null {
  const match = /(?<![\p{L}\p{N}_@])@([\p{L}\p{N}]{0,20})$/u.exec(text.slice(0, caret));
  return match ? { start: match.index, query: match[1]?.toLowerCase() ?? '' } : null;
}
