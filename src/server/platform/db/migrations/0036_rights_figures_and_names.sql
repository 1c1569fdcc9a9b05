ALTER TABLE "assets" ADD COLUMN "filename" text;--> statement-breakpoint
ALTER TABLE "assets" ADD COLUMN "source_name" text;--> statement-breakpoint
ALTER TABLE "assets" ADD COLUMN "lost_marks" jsonb;--> statement-breakpoint
ALTER TABLE "people" ADD COLUMN "pending_email" text;--> statement-breakpoint
ALTER TABLE "provider_connections" ADD COLUMN "visible_watermark" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "provider_credentials" ADD COLUMN "key_state" text;--> statement-breakpoint
UPDATE "people" SET "pending_email" = CASE WHEN "removed_at" IS NULL THEN "email" END, "email" = NULL WHERE NOT "is_email_verified";--> statement-breakpoint
ALTER TABLE "people" DROP COLUMN "is_email_verified";--> statement-breakpoint
-- The ledger finds work by its metadata too; of earlier work as the database tells words apart.
INSERT INTO "generation_words" ("generation_id", "words")
SELECT "id", strip(to_tsvector('simple', regexp_replace(lower("text"), '[^[:alnum:]]+', ' ', 'g')))
FROM (
	SELECT "id", (SELECT left(string_agg("value", ' '), 20000) FROM jsonb_each_text("metadata")) AS "text"
	FROM "generations" WHERE jsonb_typeof("metadata") = 'object' AND "metadata" <> '{}'
) g WHERE "text" IS NOT NULL
ON CONFLICT ("generation_id") DO UPDATE SET "words" = "generation_words"."words" || excluded."words";
