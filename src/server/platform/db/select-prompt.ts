import { sql } from 'drizzle-orm';
import { MAX_LISTED_INPUT_CHARACTERS } from '#server/platform/core/list-excerpt.ts';
import { generations } from './schema/schema.ts';

export const PROMPT_EXCERPT_CHARACTERS = 300;
/** Of lists that show prompts as whole as an excerpt of the input has them. */
export const LISTED_PROMPT_CHARACTERS = MAX_LISTED_INPUT_CHARACTERS;
export const MAX_PROMPT_CHARACTERS = 2 ** 30;

/** Prompt or query of a generation. What lists show comes from `input_excerpt`, because the input itself may be very long. */
export function selectPrompt(length: number) {
  const input =
    length <= LISTED_PROMPT_CHARACTERS
      ? sql`coalesce(${generations.input_excerpt}, ${generations.input})`
      : generations.input;
  return sql<string | null>`left(coalesce(${input}->>'prompt', ${input}->>'query'), ${sql.raw(String(length))})`;
}
