ALTER TABLE "provider_connections" ADD COLUMN "visible_watermark" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "provider_credentials" ADD COLUMN "key_state" text;