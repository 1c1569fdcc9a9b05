CREATE TABLE "provider_bill_lines" (
	"organization_id" text NOT NULL,
	"bill_id" text NOT NULL,
	"row" integer NOT NULL,
	"charged_at" timestamp (3) with time zone NOT NULL,
	"category" text NOT NULL,
	"is_correction" boolean NOT NULL,
	"service" text,
	"description" text,
	"request_id" text,
	"quantity_nano" bigint,
	"unit" text,
	"amount_nano" bigint NOT NULL,
	"usd_nano" bigint NOT NULL,
	CONSTRAINT "provider_bill_lines_organization_id_bill_id_row_pk" PRIMARY KEY("organization_id","bill_id","row")
);
--> statement-breakpoint
CREATE TABLE "provider_bills" (
	"id" text PRIMARY KEY NOT NULL,
	"organization_id" text NOT NULL,
	"provider_id" text NOT NULL,
	"month" text NOT NULL,
	"format" text NOT NULL,
	"columns" jsonb NOT NULL,
	"filename" text NOT NULL,
	"storage_key" text NOT NULL,
	"size_bytes" bigint NOT NULL,
	"sha256" text NOT NULL,
	"currency" text NOT NULL,
	"usd_rate" text,
	"line_count" integer NOT NULL,
	"amount_nano" bigint NOT NULL,
	"usd_nano" bigint NOT NULL,
	"created_by" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "provider_bill_lines" ADD CONSTRAINT "provider_bill_lines_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "provider_bill_lines" ADD CONSTRAINT "provider_bill_lines_bill_id_provider_bills_id_fk" FOREIGN KEY ("bill_id") REFERENCES "public"."provider_bills"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "provider_bills" ADD CONSTRAINT "provider_bills_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "provider_bills" ADD CONSTRAINT "provider_bills_created_by_api_keys_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."api_keys"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "provider_bill_lines_request" ON "provider_bill_lines" USING btree ("organization_id","request_id") WHERE request_id is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "provider_bills_file" ON "provider_bills" USING btree ("organization_id","sha256");--> statement-breakpoint
CREATE INDEX "provider_bills_month" ON "provider_bills" USING btree ("organization_id","month","provider_id");--> statement-breakpoint
CREATE INDEX "provider_bills_storage_key" ON "provider_bills" USING btree ("storage_key");