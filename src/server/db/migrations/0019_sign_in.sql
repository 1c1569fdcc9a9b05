ALTER TABLE "sign_in_tokens" ADD COLUMN "email" text;--> statement-breakpoint
ALTER TABLE "people" ADD COLUMN "is_email_verified" boolean DEFAULT false NOT NULL;