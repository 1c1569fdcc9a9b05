import type { MediaKind } from '#contract/task.ts';

const MENTION = /(?<![\p{L}\p{N}_@])@(image|video|audio)(\d{1,3})(?![\p{L}\p{N}_])/giu;

/**
 * Replaces `@Image1`, as people name references in a prompt, by the name that the model knows the reference by. Names of
 * references that do not exist stay. Decision: Reference names
 * @param named the references in the order in which they are numbered, each kind for itself
 */
export function renameMentions(
  prompt: string,
  named: readonly (readonly [name: string, { media: { kind: MediaKind } }])[],
): string {
  const counts = { image: 0, video: 0, audio: 0 } satisfies Record<MediaKind, number>;
  const names = new Map(
    named.map(([name, { media }]) => {
      counts[media.kind] += 1;
      return [`@${media.kind}${counts[media.kind]}`, name];
    }),
  );
  return prompt.replace(MENTION, (mention: string) => names.get(mention.toLowerCase()) ?? mention);
}
