ALTER TABLE "assets" ADD COLUMN "trashed_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "uploads" ADD COLUMN "trashed_at" timestamp (3) with time zone;--> statement-breakpoint
CREATE INDEX "assets_trash" ON "assets" USING btree ("organization_id","created_at","id") WHERE trashed_at is not null;--> statement-breakpoint
CREATE INDEX "uploads_trash" ON "uploads" USING btree ("organization_id","created_at","id") WHERE trashed_at is not null;