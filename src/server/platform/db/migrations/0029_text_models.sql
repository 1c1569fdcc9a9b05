CREATE TABLE "text_model_calls" (
	"id" text PRIMARY KEY NOT NULL,
	"organization_id" text NOT NULL,
	"connection_id" text NOT NULL,
	"created_by" text NOT NULL,
	"task" text NOT NULL,
	"model" text,
	"text_model" text NOT NULL,
	"status" text NOT NULL,
	"input_tokens" integer,
	"output_tokens" integer,
	"cost_micro_usd" bigint NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"completed_at" timestamp (3) with time zone
);
--> statement-breakpoint
ALTER TABLE "provider_connections" ADD COLUMN "text_model" jsonb;--> statement-breakpoint
ALTER TABLE "text_model_calls" ADD CONSTRAINT "text_model_calls_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "text_model_calls" ADD CONSTRAINT "text_model_calls_connection_id_provider_connections_id_fk" FOREIGN KEY ("connection_id") REFERENCES "public"."provider_connections"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "text_model_calls" ADD CONSTRAINT "text_model_calls_created_by_api_keys_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."api_keys"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "text_model_calls_connection" ON "text_model_calls" USING btree ("connection_id","created_at");--> statement-breakpoint
CREATE INDEX "text_model_calls_organization" ON "text_model_calls" USING btree ("organization_id","created_at");