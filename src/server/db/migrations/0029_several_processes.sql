CREATE TABLE "resumable_parts" (
	"resumable_id" text NOT NULL,
	"offset_bytes" bigint NOT NULL,
	"size_bytes" integer NOT NULL,
	"storage_key" text NOT NULL,
	CONSTRAINT "resumable_parts_resumable_id_offset_bytes_pk" PRIMARY KEY("resumable_id","offset_bytes"),
	CONSTRAINT "resumable_parts_storage_key_unique" UNIQUE("storage_key")
);
--> statement-breakpoint
CREATE TABLE "rate_limits" (
	"key" text PRIMARY KEY NOT NULL,
	"points" integer NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "generations" ADD COLUMN "storage_failed_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "resumable_parts" ADD CONSTRAINT "resumable_parts_resumable_id_resumable_uploads_id_fk" FOREIGN KEY ("resumable_id") REFERENCES "public"."resumable_uploads"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "rate_limits_expiry" ON "rate_limits" USING btree ("expires_at");