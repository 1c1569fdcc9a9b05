import { expect, it } from 'vitest';
import { describeMigration, summarizeStatements } from './describe-migration.ts';
import { readJournal } from './pending-migrations.ts';

it('lists created tables, added columns and filled rows, and which existing tables are locked', () => {
  const text = `CREATE TABLE "notes" ("id" text PRIMARY KEY NOT NULL, "organization_id" text NOT NULL);--> statement-breakpoint
ALTER TABLE "assets" ADD COLUMN "a" text;--> statement-breakpoint
ALTER TABLE "assets" ADD COLUMN "b" text;--> statement-breakpoint
ALTER TABLE "notes" ADD CONSTRAINT "notes_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id");--> statement-breakpoint
CREATE INDEX "assets_a" ON "assets" USING btree ("a");--> statement-breakpoint
CREATE INDEX "notes_organization" ON "notes" USING btree ("organization_id");--> statement-breakpoint
INSERT INTO "notes" SELECT "id", "id" FROM "organizations";`;
  expect(summarizeStatements(text)).toEqual({
    changes: ['creates table notes', 'adds 2 columns to assets', 'adds 1 index to assets', 'inserts rows into notes'],
    locked: ['assets'],
    read_only: ['organizations'],
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
