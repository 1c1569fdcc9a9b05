import { expect, it } from 'vitest';
import { describeMigration, summarizeStatements } from './describe-migration.ts';
import { readJournal } from './pending-migrations.ts';

it('lists created tables, added columns and filled rows, and which existing tables are locked', async () => {
  expect(await describeMigration('0021_tag_values')).toEqual({
    changes: [
      'creates table generation_tags',
      'creates table tag_values',
      'inserts rows into generation_tags',
      'inserts rows into tag_values',
    ],
    locked: [],
    read_only: ['organizations'],
  });
  expect(await describeMigration('0020_trash')).toEqual({
    changes: [
      'adds 1 column to assets',
      'adds 1 column to uploads',
      'adds 1 index to assets',
      'adds 1 index to uploads',
    ],
    locked: ['assets', 'uploads'],
    read_only: [],
  });
});

it('ignores comments and the statements inside functions', () => {
  const text = `-- Keeps sums.
CREATE OR REPLACE FUNCTION "sum"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE "accounts" SET "x" = 1;
END $$;--> statement-breakpoint
CREATE OR REPLACE TRIGGER "sums" BEFORE INSERT ON "entries" FOR EACH ROW EXECUTE FUNCTION "sum"();`;
  expect(summarizeStatements(text)).toEqual({
    changes: ['sets 1 function', 'sets 1 trigger of entries'],
    locked: [],
    read_only: ['entries'],
  });
});

it('knows every statement of the migrations', async () => {
  const journal = await readJournal();
  const summaries = await Promise.all(
    journal.map(async ({ tag }) => ({ tag, changes: (await describeMigration(tag)).changes })),
  );
  expect(summaries.filter(({ changes }) => changes.length === 0 || changes.join().includes('other statement'))).toEqual(
    [],
  );
});
