CREATE TABLE "batch_orders" (
	"batch_id" text NOT NULL,
	"index" integer NOT NULL,
	"order" jsonb NOT NULL,
	"input_excerpt" jsonb,
	"state" text NOT NULL,
	"estimated_micro_usd" bigint,
	"generation_id" text,
	"error" jsonb,
	CONSTRAINT "batch_orders_batch_id_index_pk" PRIMARY KEY("batch_id","index")
);
--> statement-breakpoint
CREATE TABLE "batches" (
	"id" text PRIMARY KEY NOT NULL,
	"organization_id" text NOT NULL,
	"name" text,
	"mode" text NOT NULL,
	"status" text NOT NULL,
	"pause_reason" text,
	"pause_message" text,
	"stop_at_micro_usd" bigint,
	"approved_micro_usd" bigint,
	"estimated_micro_usd" bigint NOT NULL,
	"metadata" jsonb,
	"created_by" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"completed_at" timestamp (3) with time zone
);
--> statement-breakpoint
ALTER TABLE "generations" ADD COLUMN "batch_id" text;--> statement-breakpoint
ALTER TABLE "requests" ADD COLUMN "batch_id" text;--> statement-breakpoint
ALTER TABLE "batch_orders" ADD CONSTRAINT "batch_orders_batch_id_batches_id_fk" FOREIGN KEY ("batch_id") REFERENCES "public"."batches"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "batch_orders" ADD CONSTRAINT "batch_orders_generation_id_generations_id_fk" FOREIGN KEY ("generation_id") REFERENCES "public"."generations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "batches" ADD CONSTRAINT "batches_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "batches" ADD CONSTRAINT "batches_created_by_api_keys_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."api_keys"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "batch_orders_generation" ON "batch_orders" USING btree ("generation_id");--> statement-breakpoint
CREATE INDEX "batch_orders_waiting" ON "batch_orders" USING btree ("batch_id","index") WHERE state = 'waiting';--> statement-breakpoint
CREATE INDEX "batches_list" ON "batches" USING btree ("organization_id","id");--> statement-breakpoint
CREATE INDEX "batches_maker" ON "batches" USING btree ("created_by","id");--> statement-breakpoint
CREATE INDEX "batches_running" ON "batches" USING btree ("updated_at") WHERE status = 'running';--> statement-breakpoint
ALTER TABLE "requests" ADD CONSTRAINT "requests_batch_id_batches_id_fk" FOREIGN KEY ("batch_id") REFERENCES "public"."batches"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "generations_batch" ON "generations" USING btree ("batch_id","id") WHERE batch_id is not null;