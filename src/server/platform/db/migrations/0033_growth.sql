CREATE TABLE "ledger_block_sums" (
	"organization_id" text NOT NULL,
	"tag" text NOT NULL,
	"size" integer NOT NULL,
	"block" integer NOT NULL,
	"type" text NOT NULL,
	"key_id" text NOT NULL,
	"task" text NOT NULL,
	"model" text NOT NULL,
	"amount_micro_usd" bigint NOT NULL,
	"count" integer NOT NULL,
	CONSTRAINT "ledger_block_sums_pk" PRIMARY KEY("organization_id","tag","size","block","type","key_id","task","model")
);
--> statement-breakpoint
CREATE TABLE "spending_totals" (
	"organization_id" text NOT NULL,
	"tag" text NOT NULL,
	"date" date NOT NULL,
	"value" text NOT NULL,
	"key_id" text NOT NULL,
	"task" text NOT NULL,
	"model" text NOT NULL,
	"spent_micro_usd" bigint NOT NULL,
	"count" integer NOT NULL,
	CONSTRAINT "spending_totals_pk" PRIMARY KEY("organization_id","tag","date","value","key_id","task","model")
);
--> statement-breakpoint
DROP INDEX "generations_status";--> statement-breakpoint
DROP INDEX "generations_list";--> statement-breakpoint
DROP INDEX "generations_maker";--> statement-breakpoint
ALTER TABLE "ledger_block_sums" ADD CONSTRAINT "ledger_block_sums_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "spending_totals" ADD CONSTRAINT "spending_totals_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "generations_work" ON "generations" USING btree ("organization_id","task",coalesce("model", ''),"status","created_at","id");--> statement-breakpoint
CREATE INDEX "generations_list" ON "generations" USING btree ("organization_id","created_at","id");--> statement-breakpoint
CREATE INDEX "generations_maker" ON "generations" USING btree ("created_by","created_at","id");