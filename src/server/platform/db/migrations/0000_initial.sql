CREATE TABLE "accounts" (
	"organization_id" text PRIMARY KEY NOT NULL,
	"available_micro_usd" bigint NOT NULL,
	"reserved_micro_usd" bigint NOT NULL,
	"spent_micro_usd" bigint NOT NULL,
	"last_seq" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "api_keys" (
	"id" text PRIMARY KEY NOT NULL,
	"organization_id" text NOT NULL,
	"name" text NOT NULL,
	"kind" text NOT NULL,
	"secret_sha256" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"last_used_at" timestamp (3) with time zone,
	"revoked_at" timestamp (3) with time zone,
	CONSTRAINT "api_keys_secret_sha256_unique" UNIQUE("secret_sha256")
);
--> statement-breakpoint
CREATE TABLE "assets" (
	"id" text PRIMARY KEY NOT NULL,
	"organization_id" text NOT NULL,
	"generation_id" text NOT NULL,
	"position" integer NOT NULL,
	"type" text NOT NULL,
	"mime_type" text NOT NULL,
	"storage_key" text NOT NULL,
	"size_bytes" bigint NOT NULL,
	"sha256" text NOT NULL,
	"width" integer,
	"height" integer,
	"duration_seconds" double precision,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "generations" (
	"id" text PRIMARY KEY NOT NULL,
	"organization_id" text NOT NULL,
	"task" text NOT NULL,
	"model" text,
	"status" text NOT NULL,
	"input" jsonb NOT NULL,
	"metadata" jsonb,
	"progress" double precision,
	"output_data" jsonb,
	"error" jsonb,
	"amount_micro_usd" bigint NOT NULL,
	"line_items" jsonb NOT NULL,
	"billing_status" text NOT NULL,
	"chain_id" text NOT NULL,
	"retry_of" text,
	"workflow_run_id" text,
	"created_by" text NOT NULL,
	"lease_owner" text,
	"lease_expires_at" timestamp (3) with time zone,
	"attempts" integer DEFAULT 0 NOT NULL,
	"cancel_requested" boolean DEFAULT false NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"started_at" timestamp (3) with time zone,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"completed_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "idempotency_keys" (
	"organization_id" text NOT NULL,
	"scope" text NOT NULL,
	"key" text NOT NULL,
	"fingerprint" text NOT NULL,
	"status" integer NOT NULL,
	"body" json NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "idempotency_keys_organization_id_scope_key_pk" PRIMARY KEY("organization_id","scope","key")
);
--> statement-breakpoint
CREATE TABLE "ledger_entries" (
	"id" text PRIMARY KEY NOT NULL,
	"organization_id" text NOT NULL,
	"seq" bigint NOT NULL,
	"type" text NOT NULL,
	"amount_micro_usd" bigint NOT NULL,
	"available_after_micro_usd" bigint NOT NULL,
	"balance_after_micro_usd" bigint NOT NULL,
	"generation_id" text,
	"workflow_run_id" text,
	"description" text NOT NULL,
	"created_by" text,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "organizations" (
	"id" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "uploads" (
	"id" text PRIMARY KEY NOT NULL,
	"organization_id" text NOT NULL,
	"created_by" text NOT NULL,
	"type" text NOT NULL,
	"mime_type" text NOT NULL,
	"filename" text,
	"storage_key" text NOT NULL,
	"size_bytes" bigint NOT NULL,
	"sha256" text NOT NULL,
	"width" integer,
	"height" integer,
	"duration_seconds" double precision,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "accounts" ADD CONSTRAINT "accounts_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "assets" ADD CONSTRAINT "assets_generation_id_generations_id_fk" FOREIGN KEY ("generation_id") REFERENCES "public"."generations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "generations" ADD CONSTRAINT "generations_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "generations" ADD CONSTRAINT "generations_created_by_api_keys_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."api_keys"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger_entries" ADD CONSTRAINT "ledger_entries_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger_entries" ADD CONSTRAINT "ledger_entries_generation_id_generations_id_fk" FOREIGN KEY ("generation_id") REFERENCES "public"."generations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger_entries" ADD CONSTRAINT "ledger_entries_created_by_api_keys_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."api_keys"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "uploads" ADD CONSTRAINT "uploads_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "api_keys_organization" ON "api_keys" USING btree ("organization_id","id");--> statement-breakpoint
CREATE INDEX "assets_generation" ON "assets" USING btree ("generation_id","position");--> statement-breakpoint
CREATE INDEX "assets_storage_key" ON "assets" USING btree ("storage_key");--> statement-breakpoint
CREATE INDEX "generations_list" ON "generations" USING btree ("organization_id","id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "generations_status" ON "generations" USING btree ("organization_id","status","id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "generations_chain" ON "generations" USING btree ("chain_id","id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "generations_active" ON "generations" USING btree ("lease_expires_at") WHERE status in ('queued', 'running');--> statement-breakpoint
CREATE UNIQUE INDEX "generations_active_retry" ON "generations" USING btree ("chain_id") WHERE status in ('queued', 'running');--> statement-breakpoint
CREATE INDEX "idempotency_keys_created" ON "idempotency_keys" USING btree ("created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "ledger_entries_seq" ON "ledger_entries" USING btree ("organization_id","seq" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "ledger_entries_generation" ON "ledger_entries" USING btree ("generation_id");--> statement-breakpoint
CREATE INDEX "ledger_entries_spent" ON "ledger_entries" USING btree ("organization_id","created_at") WHERE type in ('SETTLE', 'REFUND');--> statement-breakpoint
CREATE UNIQUE INDEX "ledger_entries_once" ON "ledger_entries" USING btree ("generation_id","type") WHERE type in ('RESERVE', 'RELEASE', 'SETTLE');--> statement-breakpoint
CREATE INDEX "uploads_list" ON "uploads" USING btree ("organization_id","id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "uploads_storage_key" ON "uploads" USING btree ("storage_key");