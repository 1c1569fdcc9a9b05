ALTER TABLE "assets" ADD COLUMN "filename" text;--> statement-breakpoint
ALTER TABLE "assets" ADD COLUMN "source_name" text;--> statement-breakpoint
ALTER TABLE "assets" ADD COLUMN "lost_marks" jsonb;