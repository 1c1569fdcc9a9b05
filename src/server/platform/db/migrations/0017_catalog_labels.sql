CREATE TABLE "catalog_labels" (
	"id" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"description" text,
	"updated_by" text NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "catalog_labels" ADD CONSTRAINT "catalog_labels_updated_by_api_keys_id_fk" FOREIGN KEY ("updated_by") REFERENCES "public"."api_keys"("id") ON DELETE no action ON UPDATE no action;