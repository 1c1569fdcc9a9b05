import { TASKS } from '#contract/catalog.ts';
import type { MaskSpec, MediaKind } from '#contract/task.ts';
import { renameMentions } from '#server/models/engine/reference-mentions.ts';
import type { GenerationRow } from '#server/studio/generations/read/generation-row.ts';

/**
 * Returns the input with `@Image1` in the prompt of an image task as “image 1”, which every image model understands.
 * Video models have names of their own, which their requests use. Decision: Reference names
 */
export function nameReferences(
  { task, input }: Pick<GenerationRow, 'task' | 'input'>,
  references: readonly { media: { kind: MediaKind }; mask?: MaskSpec | undefined }[],
): Record<string, unknown> {
  const { prompt } = input;
  if (TASKS[task].purpose !== 'make_image' || typeof prompt !== 'string') return input;
  const pictures = references.filter(({ mask }) => !mask);
  const named = pictures.map((reference, index) => [`image ${index + 1}`, reference] as const);
  return { ...input, prompt: renameMentions(prompt, named) };
}
