CREATE TABLE "closing_corrections" (
	"organization_id" text NOT NULL,
	"entry_id" text NOT NULL,
	"finding_id" text NOT NULL,
	"month" text NOT NULL,
	"provider_id" text NOT NULL,
	"subject" text NOT NULL,
	"kind" text NOT NULL,
	"generation_id" text,
	"booked_at" timestamp (3) with time zone NOT NULL,
	"amount_nano" bigint NOT NULL,
	"is_correction" boolean NOT NULL,
	CONSTRAINT "closing_corrections_organization_id_entry_id_finding_id_pk" PRIMARY KEY("organization_id","entry_id","finding_id")
);
--> statement-breakpoint
CREATE TABLE "closing_entries" (
	"id" text PRIMARY KEY NOT NULL,
	"organization_id" text NOT NULL,
	"seq" bigint DEFAULT 0 NOT NULL,
	"type" text NOT NULL,
	"month" text NOT NULL,
	"provider_id" text,
	"body" text NOT NULL,
	"created_by" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"hash" text DEFAULT '' NOT NULL
);
--> statement-breakpoint
CREATE TABLE "closing_findings" (
	"organization_id" text NOT NULL,
	"month" text NOT NULL,
	"provider_id" text NOT NULL,
	"id" text NOT NULL,
	"subject" text NOT NULL,
	"kind" text NOT NULL,
	"generation_id" text,
	"task" text,
	"model" text,
	"request_id" text,
	"service" text,
	"bill_id" text,
	"row" integer,
	"line_count" integer NOT NULL,
	"job_count" integer NOT NULL,
	"charged_at" timestamp (3) with time zone NOT NULL,
	"booked_at" timestamp (3) with time zone NOT NULL,
	"bill_nano" bigint,
	"cost_nano" bigint,
	"difference_nano" bigint NOT NULL,
	"size_nano" bigint NOT NULL,
	"due_nano" bigint NOT NULL,
	"is_correction" boolean NOT NULL,
	"actions" text[] NOT NULL,
	"detail" jsonb NOT NULL,
	"search" text NOT NULL,
	CONSTRAINT "closing_findings_organization_id_month_provider_id_id_pk" PRIMARY KEY("organization_id","month","provider_id","id")
);
--> statement-breakpoint
CREATE TABLE "closing_heads" (
	"organization_id" text PRIMARY KEY NOT NULL,
	"last_seq" bigint NOT NULL,
	"last_hash" text NOT NULL,
	"last_entry_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "closing_matches" (
	"organization_id" text NOT NULL,
	"month" text NOT NULL,
	"provider_id" text NOT NULL,
	"matched_at" timestamp (3) with time zone NOT NULL,
	"cost_nano" bigint NOT NULL,
	"unknown_cost_count" integer NOT NULL,
	"bill_nano" bigint NOT NULL,
	"corrected_nano" bigint NOT NULL,
	"is_stale" boolean NOT NULL,
	"sums" jsonb NOT NULL,
	CONSTRAINT "closing_matches_organization_id_month_provider_id_pk" PRIMARY KEY("organization_id","month","provider_id")
);
--> statement-breakpoint
ALTER TABLE "provider_connections" ADD COLUMN "cost_ratios" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "closing_corrections" ADD CONSTRAINT "closing_corrections_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "closing_corrections" ADD CONSTRAINT "closing_corrections_generation_id_generations_id_fk" FOREIGN KEY ("generation_id") REFERENCES "public"."generations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "closing_entries" ADD CONSTRAINT "closing_entries_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "closing_entries" ADD CONSTRAINT "closing_entries_created_by_api_keys_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."api_keys"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "closing_findings" ADD CONSTRAINT "closing_findings_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "closing_heads" ADD CONSTRAINT "closing_heads_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "closing_matches" ADD CONSTRAINT "closing_matches_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "closing_corrections_subject" ON "closing_corrections" USING btree ("organization_id","month","provider_id","subject");--> statement-breakpoint
CREATE INDEX "closing_corrections_time" ON "closing_corrections" USING btree ("organization_id","booked_at");--> statement-breakpoint
CREATE INDEX "closing_corrections_generation" ON "closing_corrections" USING btree ("generation_id") WHERE generation_id is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "closing_entries_seq" ON "closing_entries" USING btree ("organization_id","seq");--> statement-breakpoint
CREATE INDEX "closing_entries_month" ON "closing_entries" USING btree ("organization_id","month","seq");--> statement-breakpoint
CREATE INDEX "closing_findings_size" ON "closing_findings" USING btree ("organization_id","month","size_nano","id");--> statement-breakpoint
CREATE INDEX "closing_findings_kind" ON "closing_findings" USING btree ("organization_id","month","provider_id","kind","size_nano","id");--> statement-breakpoint
-- Hashes the canonical form of an entry (docs/closing.md). closing-chain.ts computes the same in JavaScript.
CREATE OR REPLACE FUNCTION "closing_entry_hash"("previous_hash" text, "entry" "closing_entries") RETURNS text LANGUAGE sql STABLE AS $$
	SELECT encode(sha256(convert_to('[' || array_to_string(ARRAY[
		to_json(previous_hash)::text,
		to_json(entry.organization_id)::text,
		to_json(entry.seq::text)::text,
		to_json(entry.id)::text,
		to_json(entry.type)::text,
		to_json(entry.month)::text,
		to_json(entry.provider_id)::text,
		to_json(entry.body)::text,
		to_json(entry.created_by)::text,
		to_json(to_char(entry.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))::text
	], ',', 'null') || ']', 'UTF8')), 'hex');
$$;
--> statement-breakpoint
-- Assigns sequence number, time and hash under the lock of the organization's head.
CREATE OR REPLACE FUNCTION "append_closing_entry"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
	head closing_heads%ROWTYPE;
BEGIN
	SELECT * INTO head FROM closing_heads WHERE organization_id = NEW.organization_id FOR UPDATE;
	IF NOT FOUND THEN
		INSERT INTO closing_heads (organization_id, last_seq, last_hash, last_entry_at)
			VALUES (NEW.organization_id, 0, repeat('0', 64), NEW.created_at) ON CONFLICT DO NOTHING;
		SELECT * INTO head FROM closing_heads WHERE organization_id = NEW.organization_id FOR UPDATE;
	END IF;
	NEW.seq := head.last_seq + 1;
	NEW.created_at := greatest(NEW.created_at, head.last_entry_at);
	NEW.hash := closing_entry_hash(head.last_hash, NEW);
	UPDATE closing_heads SET last_seq = NEW.seq, last_hash = NEW.hash, last_entry_at = NEW.created_at
		WHERE organization_id = NEW.organization_id;
	RETURN NEW;
END $$;
--> statement-breakpoint
CREATE OR REPLACE TRIGGER "closing_entries_append" BEFORE INSERT ON "closing_entries"
	FOR EACH ROW EXECUTE FUNCTION "append_closing_entry"();
--> statement-breakpoint
CREATE OR REPLACE FUNCTION "refuse_closing_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	RAISE EXCEPTION 'Closings are append-only: % of % is refused.', TG_OP, TG_TABLE_NAME USING ERRCODE = 'EM005';
END $$;
--> statement-breakpoint
CREATE OR REPLACE TRIGGER "closing_entries_append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "closing_entries"
	FOR EACH STATEMENT EXECUTE FUNCTION "refuse_closing_change"();
--> statement-breakpoint
-- The head changes only from within the trigger that appends entries.
CREATE OR REPLACE TRIGGER "closing_heads_follow_entries" BEFORE INSERT OR UPDATE ON "closing_heads"
	FOR EACH STATEMENT WHEN (pg_trigger_depth() = 0) EXECUTE FUNCTION "refuse_closing_change"();
--> statement-breakpoint
CREATE OR REPLACE TRIGGER "closing_heads_stay" BEFORE DELETE OR TRUNCATE ON "closing_heads"
	FOR EACH STATEMENT EXECUTE FUNCTION "refuse_closing_change"();
--> statement-breakpoint
-- An entry has the SHA-256 of its corrections, so they are inserted before it and none after.
CREATE OR REPLACE FUNCTION "refuse_late_correction"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF EXISTS (SELECT FROM closing_entries WHERE id = NEW.entry_id) THEN
		RAISE EXCEPTION 'Closings are append-only: entry % has all of its corrections.', NEW.entry_id USING ERRCODE = 'EM005';
	END IF;
	RETURN NEW;
END $$;
--> statement-breakpoint
CREATE OR REPLACE TRIGGER "closing_corrections_append" BEFORE INSERT ON "closing_corrections"
	FOR EACH ROW EXECUTE FUNCTION "refuse_late_correction"();
--> statement-breakpoint
CREATE OR REPLACE TRIGGER "closing_corrections_append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "closing_corrections"
	FOR EACH STATEMENT EXECUTE FUNCTION "refuse_closing_change"();
--> statement-breakpoint
-- ALWAYS: the triggers also fire in replication and in a restore that disables triggers.
ALTER TABLE "closing_entries" ENABLE ALWAYS TRIGGER "closing_entries_append_only";
--> statement-breakpoint
ALTER TABLE "closing_corrections" ENABLE ALWAYS TRIGGER "closing_corrections_append_only";
