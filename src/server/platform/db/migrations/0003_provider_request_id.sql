ALTER TABLE "upstream_jobs" ADD COLUMN "request_id" text;--> statement-breakpoint
CREATE INDEX "upstream_jobs_request" ON "upstream_jobs" USING btree ("request_id") WHERE request_id is not null;