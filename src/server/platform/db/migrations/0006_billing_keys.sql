CREATE TABLE "provider_billing_keys" (
	"connection_id" text PRIMARY KEY NOT NULL,
	"sealed_key" text NOT NULL,
	"last_four" text NOT NULL,
	"created_by" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"due_at" timestamp (3) with time zone NOT NULL,
	"read_at" timestamp (3) with time zone,
	"problem" text,
	"failing_since" timestamp (3) with time zone
);
--> statement-breakpoint
ALTER TABLE "organizations" ADD COLUMN "bill_difference_percent" integer DEFAULT 2;--> statement-breakpoint
ALTER TABLE "provider_bills" ADD COLUMN "read_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "provider_billing_keys" ADD CONSTRAINT "provider_billing_keys_connection_id_provider_connections_id_fk" FOREIGN KEY ("connection_id") REFERENCES "public"."provider_connections"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "provider_billing_keys" ADD CONSTRAINT "provider_billing_keys_created_by_api_keys_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."api_keys"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "provider_bills_read" ON "provider_bills" USING btree ("organization_id","provider_id","month") WHERE read_at is not null;