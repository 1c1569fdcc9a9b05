CREATE TABLE "collection_items" (
	"collection_id" text NOT NULL,
	"media_id" text NOT NULL,
	"position" bigint GENERATED ALWAYS AS IDENTITY (sequence name "collection_items_position_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"added_by" text NOT NULL,
	"added_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "collection_items_collection_id_media_id_pk" PRIMARY KEY("collection_id","media_id")
);
--> statement-breakpoint
CREATE TABLE "collections" (
	"id" text PRIMARY KEY NOT NULL,
	"organization_id" text NOT NULL,
	"name" text NOT NULL,
	"description" text DEFAULT '' NOT NULL,
	"cover_media_id" text,
	"created_by" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "media_labels" (
	"organization_id" text NOT NULL,
	"label" text NOT NULL,
	"media_id" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "media_labels_organization_id_label_media_id_pk" PRIMARY KEY("organization_id","label","media_id")
);
--> statement-breakpoint
CREATE TABLE "shares" (
	"id" text PRIMARY KEY NOT NULL,
	"organization_id" text NOT NULL,
	"media_id" text,
	"collection_id" text,
	"token_sha256" text NOT NULL,
	"token_encrypted" text NOT NULL,
	"title" text,
	"shows_prompts" boolean NOT NULL,
	"allows_downloads" boolean NOT NULL,
	"shows_organization" boolean NOT NULL,
	"expires_at" timestamp (3) with time zone,
	"created_by" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"revoked_at" timestamp (3) with time zone,
	"view_count" integer DEFAULT 0 NOT NULL,
	"last_viewed_at" timestamp (3) with time zone,
	CONSTRAINT "shares_token_sha256_unique" UNIQUE("token_sha256")
);
--> statement-breakpoint
ALTER TABLE "organizations" ADD COLUMN "sharing_enabled" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "collection_items" ADD CONSTRAINT "collection_items_collection_id_collections_id_fk" FOREIGN KEY ("collection_id") REFERENCES "public"."collections"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "collections" ADD CONSTRAINT "collections_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "collections" ADD CONSTRAINT "collections_created_by_api_keys_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."api_keys"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "media_labels" ADD CONSTRAINT "media_labels_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "shares" ADD CONSTRAINT "shares_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "shares" ADD CONSTRAINT "shares_created_by_api_keys_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."api_keys"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "collection_items_order" ON "collection_items" USING btree ("collection_id","position");--> statement-breakpoint
CREATE INDEX "collection_items_media" ON "collection_items" USING btree ("media_id");--> statement-breakpoint
CREATE INDEX "collections_list" ON "collections" USING btree ("organization_id","id");--> statement-breakpoint
CREATE INDEX "media_labels_media" ON "media_labels" USING btree ("media_id");--> statement-breakpoint
CREATE INDEX "shares_list" ON "shares" USING btree ("organization_id","id");--> statement-breakpoint
CREATE INDEX "shares_open" ON "shares" USING btree ("organization_id","id") WHERE revoked_at is null;--> statement-breakpoint
CREATE INDEX "shares_media" ON "shares" USING btree ("media_id");--> statement-breakpoint
CREATE INDEX "shares_collection" ON "shares" USING btree ("collection_id");