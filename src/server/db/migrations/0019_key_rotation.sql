ALTER TABLE "api_keys" ADD COLUMN "previous_sha256" text;--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "previous_valid_until" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_previous_sha256_unique" UNIQUE("previous_sha256");