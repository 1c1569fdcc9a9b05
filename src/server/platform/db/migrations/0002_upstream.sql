CREATE TABLE "reviews" (
	"generation_id" text PRIMARY KEY NOT NULL,
	"reason" text NOT NULL,
	"held_data" jsonb,
	"charge_micro_usd" bigint NOT NULL,
	"charge_line_items" jsonb NOT NULL,
	"opened_at" timestamp (3) with time zone NOT NULL,
	"decision" text,
	"note" text,
	"decided_by" text,
	"decided_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "upstream_jobs" (
	"generation_id" text PRIMARY KEY NOT NULL,
	"engine" text NOT NULL,
	"state" text NOT NULL,
	"handle" jsonb,
	"media_lengths" jsonb NOT NULL,
	"cost_micro_usd" bigint,
	"last_problem" text,
	"problem_count" integer DEFAULT 0 NOT NULL,
	"submitted_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "reviews" ADD CONSTRAINT "reviews_generation_id_generations_id_fk" FOREIGN KEY ("generation_id") REFERENCES "public"."generations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reviews" ADD CONSTRAINT "reviews_decided_by_api_keys_id_fk" FOREIGN KEY ("decided_by") REFERENCES "public"."api_keys"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "upstream_jobs" ADD CONSTRAINT "upstream_jobs_generation_id_generations_id_fk" FOREIGN KEY ("generation_id") REFERENCES "public"."generations"("id") ON DELETE no action ON UPDATE no action;