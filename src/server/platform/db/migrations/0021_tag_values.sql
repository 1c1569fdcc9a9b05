CREATE TABLE "generation_tags" (
	"organization_id" text NOT NULL,
	"name" text NOT NULL,
	"value" text NOT NULL,
	"generation_id" text NOT NULL,
	CONSTRAINT "generation_tags_organization_id_name_value_generation_id_pk" PRIMARY KEY("organization_id","name","value","generation_id")
);
--> statement-breakpoint
CREATE TABLE "tag_values" (
	"organization_id" text NOT NULL,
	"name" text NOT NULL,
	"created_by" text NOT NULL,
	"value" text NOT NULL,
	"last_used_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "tag_values_organization_id_name_created_by_value_pk" PRIMARY KEY("organization_id","name","created_by","value")
);
--> statement-breakpoint
ALTER TABLE "generation_tags" ADD CONSTRAINT "generation_tags_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tag_values" ADD CONSTRAINT "tag_values_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "tag_values_recent" ON "tag_values" USING btree ("organization_id","name","last_used_at");--> statement-breakpoint
INSERT INTO "generation_tags" ("organization_id", "name", "value", "generation_id")
	SELECT "organization_id", tag.key, tag.value, "id" FROM "generations", jsonb_each_text("generations"."tags") AS tag
	WHERE "generations"."tags" <> '{}'::jsonb;--> statement-breakpoint
INSERT INTO "tag_values" ("organization_id", "name", "created_by", "value", "last_used_at")
	SELECT "organization_id", tag.key, "created_by", tag.value, max("created_at")
	FROM "generations", jsonb_each_text("generations"."tags") AS tag
	WHERE "generations"."tags" <> '{}'::jsonb GROUP BY 1, 2, 3, 4;
