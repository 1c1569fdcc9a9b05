CREATE TABLE "ledger_words" (
	"organization_id" text NOT NULL,
	"seq" bigint NOT NULL,
	"generation_id" text,
	"words" "tsvector" NOT NULL,
	CONSTRAINT "ledger_words_organization_id_seq_pk" PRIMARY KEY("organization_id","seq")
);
--> statement-breakpoint
ALTER TABLE "ledger_words" ADD CONSTRAINT "ledger_words_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "ledger_words_generation" ON "ledger_words" USING btree ("generation_id") WHERE generation_id is not null;--> statement-breakpoint
CREATE INDEX "ledger_words_words" ON "ledger_words" USING gin ("words");--> statement-breakpoint
CREATE INDEX "ledger_entries_amount" ON "ledger_entries" USING btree ("organization_id","amount_micro_usd","seq");--> statement-breakpoint
-- Entries from before this are found by their words as the database tells them apart.
INSERT INTO "ledger_words" ("organization_id", "seq", "generation_id", "words")
SELECT "organization_id", "seq", "generation_id", strip(to_tsvector('simple', regexp_replace(lower("description"), '[^[:alnum:]]+', ' ', 'g')))
FROM "ledger_entries" WHERE "type" IN ('TOP_UP', 'ADMIN_CREDIT', 'ADJUSTMENT', 'REFUND');
