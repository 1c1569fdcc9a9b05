CREATE TABLE "resumable_uploads" (
	"id" text PRIMARY KEY NOT NULL,
	"organization_id" text NOT NULL,
	"created_by" text NOT NULL,
	"filename" text,
	"length_bytes" bigint,
	"upload_id" text,
	"lock_owner" text,
	"lock_expires_at" timestamp (3) with time zone,
	"lock_wanted" boolean DEFAULT false NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "resumable_uploads" ADD CONSTRAINT "resumable_uploads_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "resumable_uploads_expiry" ON "resumable_uploads" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "uploads_content" ON "uploads" USING btree ("organization_id","sha256");