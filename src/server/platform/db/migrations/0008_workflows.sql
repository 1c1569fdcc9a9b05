CREATE TABLE "workflow_items" (
	"run_id" text NOT NULL,
	"step_key" text NOT NULL,
	"index" integer NOT NULL,
	"item" json,
	"label" text,
	"generation_id" text,
	"kept" boolean DEFAULT false NOT NULL,
	"error" jsonb,
	"ended_at" timestamp (3) with time zone,
	CONSTRAINT "workflow_items_run_id_step_key_index_pk" PRIMARY KEY("run_id","step_key","index")
);
--> statement-breakpoint
CREATE TABLE "workflow_runs" (
	"id" text PRIMARY KEY NOT NULL,
	"organization_id" text NOT NULL,
	"starter_slug" text NOT NULL,
	"starter_name" text NOT NULL,
	"definition" json NOT NULL,
	"input" json NOT NULL,
	"status" text NOT NULL,
	"output" json,
	"error" jsonb,
	"estimate" jsonb,
	"chain_id" text NOT NULL,
	"retry_of" text,
	"created_by" text NOT NULL,
	"cancel_reason" text,
	"canceled_by" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"started_at" timestamp (3) with time zone,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"completed_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "workflow_starters" (
	"organization_id" text NOT NULL,
	"slug" text NOT NULL,
	"definition" json NOT NULL,
	"created_by" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "workflow_starters_organization_id_slug_pk" PRIMARY KEY("organization_id","slug")
);
--> statement-breakpoint
CREATE TABLE "workflow_steps" (
	"run_id" text NOT NULL,
	"key" text NOT NULL,
	"state" text NOT NULL,
	"error" jsonb,
	"begun_at" timestamp (3) with time zone,
	"ended_at" timestamp (3) with time zone,
	CONSTRAINT "workflow_steps_run_id_key_pk" PRIMARY KEY("run_id","key")
);
--> statement-breakpoint
ALTER TABLE "workflow_items" ADD CONSTRAINT "workflow_items_generation_id_generations_id_fk" FOREIGN KEY ("generation_id") REFERENCES "public"."generations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "workflow_items" ADD CONSTRAINT "workflow_items_step" FOREIGN KEY ("run_id","step_key") REFERENCES "public"."workflow_steps"("run_id","key") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "workflow_runs" ADD CONSTRAINT "workflow_runs_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "workflow_runs" ADD CONSTRAINT "workflow_runs_created_by_api_keys_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."api_keys"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "workflow_runs" ADD CONSTRAINT "workflow_runs_canceled_by_api_keys_id_fk" FOREIGN KEY ("canceled_by") REFERENCES "public"."api_keys"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "workflow_starters" ADD CONSTRAINT "workflow_starters_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "workflow_starters" ADD CONSTRAINT "workflow_starters_created_by_api_keys_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."api_keys"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "workflow_steps" ADD CONSTRAINT "workflow_steps_run_id_workflow_runs_id_fk" FOREIGN KEY ("run_id") REFERENCES "public"."workflow_runs"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "workflow_items_generation" ON "workflow_items" USING btree ("generation_id");--> statement-breakpoint
CREATE INDEX "workflow_runs_list" ON "workflow_runs" USING btree ("organization_id","id");--> statement-breakpoint
CREATE INDEX "workflow_runs_status" ON "workflow_runs" USING btree ("organization_id","status","id");--> statement-breakpoint
CREATE INDEX "workflow_runs_starter" ON "workflow_runs" USING btree ("organization_id","starter_slug","id");--> statement-breakpoint
CREATE INDEX "workflow_runs_chain" ON "workflow_runs" USING btree ("chain_id","id");--> statement-breakpoint
CREATE INDEX "workflow_runs_active" ON "workflow_runs" USING btree ("updated_at") WHERE status in ('queued', 'running');--> statement-breakpoint
CREATE UNIQUE INDEX "workflow_runs_active_retry" ON "workflow_runs" USING btree ("chain_id") WHERE status in ('queued', 'running');