import { getTableColumns, sql } from 'drizzle-orm';
import { generations } from './schema.ts';

const { input_excerpt, ...columns } = getTableColumns(generations);

/** What lists read of generations: a caller can make each input as large as a body. */
export const generationListColumns = {
  ...columns,
  input: sql<typeof generations.$inferSelect.input>`coalesce(${input_excerpt}, ${generations.input})`,
  input_truncated: sql<boolean>`${input_excerpt} is not null`,
};
