ALTER TABLE "people" ADD COLUMN "pending_email" text;--> statement-breakpoint
UPDATE "people" SET "pending_email" = CASE WHEN "removed_at" IS NULL THEN "email" END, "email" = NULL WHERE NOT "is_email_verified";--> statement-breakpoint
ALTER TABLE "people" DROP COLUMN "is_email_verified";