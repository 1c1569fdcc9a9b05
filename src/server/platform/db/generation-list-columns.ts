import { getTableColumns, sql } from 'drizzle-orm';
import { generations } from './schema/schema.ts';

const { input_excerpt, ...columns } = getTableColumns(generations);

/** Columns that lists read; they exclude the input, which can be as large as a request body. */
export const generationListColumns = {
  ...columns,
  input: sql<typeof generations.$inferSelect.input>`coalesce(${input_excerpt}, ${generations.input})`,
  input_truncated: sql<boolean>`${input_excerpt} is not null`,
};
