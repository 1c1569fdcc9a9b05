import type { Tx } from '#server/platform/db/db.ts';
import type { generations } from '#server/platform/db/schema/schema.ts';

export type GenerationRow = Omit<typeof generations.$inferSelect, 'input_excerpt'> & {
  /** In lists: `input` is an excerpt. */
  input_truncated?: boolean;
};

/** Runs in the transaction of a transition, with the updated generation. */
export type TransitionListener = (tx: Tx, row: GenerationRow) => Promise<void>;
