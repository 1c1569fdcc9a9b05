CREATE TABLE "callback_deliveries" (
	"generation_id" text NOT NULL,
	"event" text NOT NULL,
	"organization_id" text NOT NULL,
	"key_id" text NOT NULL,
	"receiver" text NOT NULL,
	"tries" integer DEFAULT 0 NOT NULL,
	"next_attempt_at" timestamp (3) with time zone NOT NULL,
	"lease_owner" text,
	"lease_expires_at" timestamp (3) with time zone,
	CONSTRAINT "callback_deliveries_generation_id_event_pk" PRIMARY KEY("generation_id","event")
);
--> statement-breakpoint
ALTER TABLE "callback_deliveries" ADD CONSTRAINT "callback_deliveries_generation_id_order_callbacks_generation_id_fk" FOREIGN KEY ("generation_id") REFERENCES "public"."order_callbacks"("generation_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "callback_deliveries" ADD CONSTRAINT "callback_deliveries_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "callback_deliveries_due" ON "callback_deliveries" USING btree ("key_id","next_attempt_at");