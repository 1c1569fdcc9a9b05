CREATE TABLE "generation_words" (
	"generation_id" text PRIMARY KEY NOT NULL,
	"words" "tsvector" NOT NULL
);
--> statement-breakpoint
CREATE TABLE "upload_words" (
	"upload_id" text PRIMARY KEY NOT NULL,
	"words" "tsvector" NOT NULL
);
--> statement-breakpoint
ALTER TABLE "assets" ADD COLUMN "task" text;--> statement-breakpoint
ALTER TABLE "assets" ADD COLUMN "model" text;--> statement-breakpoint
ALTER TABLE "assets" ADD COLUMN "held" boolean DEFAULT false NOT NULL;--> statement-breakpoint
UPDATE "assets" SET "task" = g."task", "model" = g."model", "held" = g."status" = 'manual_review'
FROM "generations" g WHERE g."id" = "assets"."generation_id";--> statement-breakpoint
ALTER TABLE "assets" ALTER COLUMN "task" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "generation_words" ADD CONSTRAINT "generation_words_generation_id_generations_id_fk" FOREIGN KEY ("generation_id") REFERENCES "public"."generations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "upload_words" ADD CONSTRAINT "upload_words_upload_id_uploads_id_fk" FOREIGN KEY ("upload_id") REFERENCES "public"."uploads"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "generation_words_words" ON "generation_words" USING gin ("words");--> statement-breakpoint
CREATE INDEX "upload_words_words" ON "upload_words" USING gin ("words");--> statement-breakpoint
CREATE INDEX "assets_library" ON "assets" USING btree ("organization_id","created_at","id") WHERE removed_at is null and not held;--> statement-breakpoint
CREATE INDEX "assets_library_type" ON "assets" USING btree ("organization_id","type","created_at","id") WHERE removed_at is null and not held;--> statement-breakpoint
CREATE INDEX "assets_library_task" ON "assets" USING btree ("organization_id","task","created_at","id") WHERE removed_at is null and not held;--> statement-breakpoint
CREATE INDEX "assets_library_model" ON "assets" USING btree ("organization_id","model","created_at","id") WHERE removed_at is null and not held;--> statement-breakpoint
CREATE INDEX "assets_favourites" ON "assets" USING btree ("organization_id","created_at","id") WHERE favourite and removed_at is null and not held;--> statement-breakpoint
CREATE INDEX "uploads_library" ON "uploads" USING btree ("organization_id","created_at","id") WHERE removed_at is null;--> statement-breakpoint
CREATE INDEX "uploads_library_type" ON "uploads" USING btree ("organization_id","type","created_at","id") WHERE removed_at is null;--> statement-breakpoint
CREATE INDEX "uploads_favourites" ON "uploads" USING btree ("organization_id","created_at","id") WHERE favourite and removed_at is null;--> statement-breakpoint
-- What was written before this is found by its words as the database tells them apart.
INSERT INTO "generation_words" ("generation_id", "words")
SELECT "id", strip(to_tsvector('simple', regexp_replace(lower("text"), '[^[:alnum:]]+', ' ', 'g')))
FROM (SELECT "id", coalesce("input"->>'prompt', "input"->>'query') AS "text" FROM "generations") g WHERE "text" IS NOT NULL;--> statement-breakpoint
INSERT INTO "upload_words" ("upload_id", "words")
SELECT "id", strip(to_tsvector('simple', regexp_replace(lower("filename"), '[^[:alnum:]]+', ' ', 'g')))
FROM "uploads" WHERE "filename" IS NOT NULL;
