CREATE TABLE "media_archives" (
	"id" text PRIMARY KEY NOT NULL,
	"organization_id" text NOT NULL,
	"filename" text NOT NULL,
	"media_ids" jsonb NOT NULL,
	"starts" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "media_uses" (
	"generation_id" text NOT NULL,
	"field" text NOT NULL,
	"organization_id" text NOT NULL,
	"media_id" text NOT NULL,
	"media_type" text NOT NULL,
	CONSTRAINT "media_uses_generation_id_field_pk" PRIMARY KEY("generation_id","field")
);
--> statement-breakpoint
ALTER TABLE "assets" ADD COLUMN "favourite" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "assets" ADD COLUMN "removed_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "uploads" ADD COLUMN "favourite" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "uploads" ADD COLUMN "removed_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "media_archives" ADD CONSTRAINT "media_archives_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "media_uses" ADD CONSTRAINT "media_uses_generation_id_generations_id_fk" FOREIGN KEY ("generation_id") REFERENCES "public"."generations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "media_uses" ADD CONSTRAINT "media_uses_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "media_archives_expiry" ON "media_archives" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "media_uses_medium" ON "media_uses" USING btree ("organization_id","media_id","generation_id");--> statement-breakpoint
-- What was taken before this was noted: every reference to a medium that the organization still has.
INSERT INTO "media_uses" ("generation_id", "field", "organization_id", "media_id", "media_type")
SELECT g."id", f."key" || coalesce('.' || (r."position" - 1), ''), g."organization_id", m."id", m."type"
FROM "generations" g
CROSS JOIN LATERAL jsonb_each(g."input") f
CROSS JOIN LATERAL (
	SELECT f."value" AS "reference", NULL::bigint AS "position" WHERE jsonb_typeof(f."value") = 'object'
	UNION ALL
	SELECT i."value", i."ordinality"
	FROM jsonb_array_elements(CASE WHEN jsonb_typeof(f."value") = 'array' THEN f."value" ELSE '[]' END) WITH ORDINALITY i
) r
JOIN LATERAL (
	SELECT "id", "organization_id", "type" FROM "assets"
	WHERE "id" = substring(r."reference"->>'url' FROM '/media/(ast_[0-9a-hjkmnp-tv-z]{26})(?:[?#]|$)')
	UNION ALL
	SELECT "id", "organization_id", "type" FROM "uploads"
	WHERE "id" = substring(r."reference"->>'url' FROM '/media/(upl_[0-9a-hjkmnp-tv-z]{26})(?:[?#]|$)')
) m ON m."organization_id" = g."organization_id"
WHERE jsonb_typeof(g."input") = 'object';
