ALTER TABLE "assets" ADD COLUMN "source_id" text;--> statement-breakpoint
ALTER TABLE "assets" ADD COLUMN "source_number" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "assets" ADD COLUMN "edits" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "generations" ADD COLUMN "output_name" text;--> statement-breakpoint
CREATE INDEX "assets_source" ON "assets" USING btree ("organization_id","source_name") WHERE source_name is not null;