CREATE INDEX "generations_maker" ON "generations" USING btree ("created_by","id");--> statement-breakpoint
CREATE INDEX "uploads_maker" ON "uploads" USING btree ("created_by","id");--> statement-breakpoint
CREATE INDEX "workflow_runs_maker" ON "workflow_runs" USING btree ("created_by","id");