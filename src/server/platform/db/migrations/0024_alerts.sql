CREATE TABLE "alerts" (
	"id" text PRIMARY KEY NOT NULL,
	"organization_id" text NOT NULL,
	"kind" text NOT NULL,
	"subject_id" text NOT NULL,
	"subject_name" text NOT NULL,
	"period" text NOT NULL,
	"message" text NOT NULL,
	"raised_at" timestamp (3) with time zone NOT NULL,
	"acknowledged_at" timestamp (3) with time zone,
	"acknowledged_by" text,
	"resolved_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "ledger_verifications" (
	"organization_id" text NOT NULL,
	"date" date NOT NULL,
	"ok" boolean NOT NULL,
	"head_seq" bigint,
	"head_hash" text,
	"result" jsonb NOT NULL,
	"completed_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "ledger_verifications_organization_id_date_pk" PRIMARY KEY("organization_id","date")
);
--> statement-breakpoint
ALTER TABLE "webhook_events" ALTER COLUMN "generation_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "organizations" ADD COLUMN "low_balance_micro_usd" bigint DEFAULT 5000000;--> statement-breakpoint
ALTER TABLE "organizations" ADD COLUMN "alert_mail_roles" text[] DEFAULT '{"administrator"}' NOT NULL;--> statement-breakpoint
ALTER TABLE "organizations" ADD COLUMN "alert_mail_to" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "organizations" ADD COLUMN "verification_mail_to" text;--> statement-breakpoint
ALTER TABLE "alerts" ADD CONSTRAINT "alerts_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "alerts" ADD CONSTRAINT "alerts_acknowledged_by_api_keys_id_fk" FOREIGN KEY ("acknowledged_by") REFERENCES "public"."api_keys"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger_verifications" ADD CONSTRAINT "ledger_verifications_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "alerts_once" ON "alerts" USING btree ("organization_id","kind","subject_id","period");--> statement-breakpoint
CREATE INDEX "alerts_list" ON "alerts" USING btree ("organization_id","id");--> statement-breakpoint
CREATE INDEX "alerts_kind" ON "alerts" USING btree ("organization_id","kind","id");--> statement-breakpoint
CREATE INDEX "alerts_unresolved" ON "alerts" USING btree ("organization_id","id") WHERE resolved_at is null;