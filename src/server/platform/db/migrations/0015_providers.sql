CREATE TABLE "provider_connections" (
	"id" text PRIMARY KEY NOT NULL,
	"provider" text NOT NULL,
	"address" text,
	"models" jsonb NOT NULL,
	"state" text NOT NULL,
	"paused_reason" text,
	"account_problems" integer DEFAULT 0 NOT NULL,
	"last_problem" text,
	"last_problem_at" timestamp (3) with time zone,
	"created_by" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"disconnected_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "provider_credentials" (
	"connection_id" text NOT NULL,
	"version" integer NOT NULL,
	"sealed_key" text,
	"last_four" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"retired_at" timestamp (3) with time zone,
	"deleted_at" timestamp (3) with time zone,
	CONSTRAINT "provider_credentials_connection_id_version_pk" PRIMARY KEY("connection_id","version")
);
--> statement-breakpoint
ALTER TABLE "generations" ADD COLUMN "provider_status" jsonb;--> statement-breakpoint
ALTER TABLE "upstream_jobs" ADD COLUMN "cost_basis" text;--> statement-breakpoint
ALTER TABLE "upstream_jobs" ADD COLUMN "connection_id" text;--> statement-breakpoint
ALTER TABLE "provider_connections" ADD CONSTRAINT "provider_connections_created_by_api_keys_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."api_keys"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "provider_credentials" ADD CONSTRAINT "provider_credentials_connection_id_provider_connections_id_fk" FOREIGN KEY ("connection_id") REFERENCES "public"."provider_connections"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "provider_credentials_retired" ON "provider_credentials" USING btree ("retired_at");--> statement-breakpoint
CREATE INDEX "upstream_jobs_connection" ON "upstream_jobs" USING btree ("connection_id","submitted_at") WHERE connection_id is not null;--> statement-breakpoint
CREATE INDEX "upstream_jobs_unfinished" ON "upstream_jobs" USING btree ("engine") WHERE state <> 'ended';