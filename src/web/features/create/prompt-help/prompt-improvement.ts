/**
 * What happens to a prompt:
 * - `busy`: it was sent.
 * - `ready`: it was changed meanwhile, so the improved one waits until it is used.
 */
export type PromptImprovement =
  | { status: 'idle' }
  | { status: 'busy' }
  | { status: 'ready'; after: string }
  | { status: 'failed'; message: string };

/** An improved prompt that took the place of another. */
export interface Replacement {
  before: string;
  after: string;
}

const MAX_REPLACEMENTS = 20;

export const addReplacement = (replacements: readonly Replacement[], next: Replacement): readonly Replacement[] =>
  next.before === next.after ? replacements : [...replacements, next].slice(-MAX_REPLACEMENTS);

/** The replacement that undo takes back; null: the prompt was changed since, so that undo would lose words. */
export const findReplacement = (replacements: readonly Replacement[], current: string): Replacement | null =>
  replacements.findLast(({ after }) => after === current) ?? null;
