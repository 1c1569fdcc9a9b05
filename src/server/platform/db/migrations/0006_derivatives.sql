CREATE TABLE "media_derivations" (
	"source_key" text PRIMARY KEY NOT NULL,
	"state" text NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"due_at" timestamp (3) with time zone NOT NULL,
	"problem" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "media_derivatives" (
	"source_key" text NOT NULL,
	"variant" text NOT NULL,
	"type" text NOT NULL,
	"mime_type" text NOT NULL,
	"storage_key" text NOT NULL,
	"size_bytes" bigint NOT NULL,
	"sha256" text NOT NULL,
	"width" integer,
	"height" integer,
	"duration_seconds" double precision,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "media_derivatives_source_key_variant_pk" PRIMARY KEY("source_key","variant")
);
--> statement-breakpoint
ALTER TABLE "media_derivatives" ADD CONSTRAINT "media_derivatives_source_key_media_derivations_source_key_fk" FOREIGN KEY ("source_key") REFERENCES "public"."media_derivations"("source_key") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "media_derivations_waiting" ON "media_derivations" USING btree ("created_at") WHERE state = 'waiting';--> statement-breakpoint
CREATE INDEX "media_derivatives_storage_key" ON "media_derivatives" USING btree ("storage_key");