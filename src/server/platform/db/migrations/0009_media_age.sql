ALTER TABLE "resumable_uploads" ADD COLUMN "metadata" json;--> statement-breakpoint
CREATE INDEX "assets_age" ON "assets" USING btree ("created_at") WHERE removed_at is null;--> statement-breakpoint
CREATE INDEX "uploads_age" ON "uploads" USING btree ("created_at") WHERE removed_at is null;--> statement-breakpoint
CREATE INDEX "uploads_removed" ON "uploads" USING btree ("id") WHERE removed_at is not null;--> statement-breakpoint
ALTER TABLE "resumable_uploads" DROP COLUMN "filename";