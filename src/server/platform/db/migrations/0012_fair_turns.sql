ALTER TABLE "generations" ADD COLUMN "lane" text DEFAULT 'generation.run' NOT NULL;--> statement-breakpoint
ALTER TABLE "generations" ADD COLUMN "turn" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX "generations_turns" ON "generations" USING btree ("lane","turn") WHERE status = 'queued';--> statement-breakpoint
CREATE INDEX "generations_queued" ON "generations" USING btree ("created_by","lane","turn") WHERE status = 'queued';--> statement-breakpoint
CREATE INDEX "workflow_runs_turns" ON "workflow_runs" USING btree ("created_by","id") WHERE status in ('queued', 'running');