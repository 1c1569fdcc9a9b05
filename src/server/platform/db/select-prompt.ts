import { sql } from 'drizzle-orm';
import { generations } from './schema.ts';

export const PROMPT_EXCERPT_CHARACTERS = 300;
export const MAX_PROMPT_CHARACTERS = 2 ** 30;

/** Prompt or query of a generation. Short excerpts come from `input_excerpt`, because the input itself may be very long. */
export function selectPrompt(length: number) {
  const input =
    length <= PROMPT_EXCERPT_CHARACTERS
      ? sql`coalesce(${generations.input_excerpt}, ${generations.input})`
      : generations.input;
  return sql<string | null>`left(coalesce(${input}->>'prompt', ${input}->>'query'), ${sql.raw(String(length))})`;
}
