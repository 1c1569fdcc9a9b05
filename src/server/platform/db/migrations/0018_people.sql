CREATE TABLE "invitations" (
	"id" text PRIMARY KEY NOT NULL,
	"organization_id" text NOT NULL,
	"name" text,
	"email" text,
	"role" text NOT NULL,
	"token_sha256" text NOT NULL,
	"invited_by" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"accepted_by" text,
	"revoked_at" timestamp (3) with time zone,
	CONSTRAINT "invitations_token_sha256_unique" UNIQUE("token_sha256")
);
--> statement-breakpoint
CREATE TABLE "passkeys" (
	"id" text PRIMARY KEY NOT NULL,
	"person_id" text NOT NULL,
	"name" text NOT NULL,
	"public_key" text NOT NULL,
	"counter" bigint NOT NULL,
	"transports" text[] NOT NULL,
	"backed_up" boolean NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"last_used_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "people" (
	"id" text PRIMARY KEY NOT NULL,
	"organization_id" text NOT NULL,
	"name" text NOT NULL,
	"email" text,
	"is_email_verified" boolean DEFAULT false NOT NULL,
	"role" text NOT NULL,
	"key_id" text NOT NULL,
	"oidc_issuer" text,
	"oidc_subject" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"last_active_at" timestamp (3) with time zone,
	"removed_at" timestamp (3) with time zone,
	CONSTRAINT "people_key_id_unique" UNIQUE("key_id")
);
--> statement-breakpoint
CREATE TABLE "sign_in_challenges" (
	"id_sha256" text PRIMARY KEY NOT NULL,
	"purpose" text NOT NULL,
	"value" text NOT NULL,
	"person_id" text,
	"expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "audit_events" (
	"id" text PRIMARY KEY NOT NULL,
	"organization_id" text NOT NULL,
	"seq" bigint DEFAULT 0 NOT NULL,
	"action" text NOT NULL,
	"actor_type" text NOT NULL,
	"actor_id" text,
	"actor_name" text NOT NULL,
	"address" text,
	"target_type" text NOT NULL,
	"target_id" text,
	"target_name" text,
	"before" jsonb,
	"after" jsonb,
	"created_at" timestamp (3) with time zone NOT NULL,
	"hash" text DEFAULT '' NOT NULL
);
--> statement-breakpoint
CREATE TABLE "audit_heads" (
	"organization_id" text PRIMARY KEY NOT NULL,
	"last_seq" bigint NOT NULL,
	"last_hash" text NOT NULL,
	"last_event_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "ledger_tags" (
	"organization_id" text NOT NULL,
	"name" text NOT NULL,
	"value" text NOT NULL,
	"type" text NOT NULL,
	"seq" bigint NOT NULL,
	CONSTRAINT "ledger_tags_organization_id_name_value_type_seq_pk" PRIMARY KEY("organization_id","name","value","type","seq")
);
--> statement-breakpoint
CREATE TABLE "tags" (
	"organization_id" text NOT NULL,
	"name" text NOT NULL,
	"label" text NOT NULL,
	"required" boolean NOT NULL,
	"values" text[],
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"updated_by" text NOT NULL,
	CONSTRAINT "tags_organization_id_name_pk" PRIMARY KEY("organization_id","name")
);
--> statement-breakpoint
ALTER TABLE "spending_days" DROP CONSTRAINT "spending_days_organization_id_date_key_id_task_model_pk";--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "last_four" text;--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "person_id" text;--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "is_person" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "scopes" jsonb;--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "expires_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "previous_sha256" text;--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "previous_valid_until" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "generations" ADD COLUMN "tags" jsonb DEFAULT '{}'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "organizations" ADD COLUMN "members_see_own_work_only" boolean DEFAULT false NOT NULL;--> statement-breakpoint
-- Everyone signs in again once: sessions now have an id and a method.
DELETE FROM "sessions";--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "id" text NOT NULL;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "method" text NOT NULL;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "address" text;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "user_agent" text;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "previous_sha256" text;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "rotated_at" timestamp (3) with time zone NOT NULL;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "last_used_at" timestamp (3) with time zone NOT NULL;--> statement-breakpoint
ALTER TABLE "sign_in_tokens" ADD COLUMN "email" text;--> statement-breakpoint
ALTER TABLE "spending_days" ADD COLUMN "tags" text DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "workflow_runs" ADD COLUMN "metadata" jsonb;--> statement-breakpoint
ALTER TABLE "workflow_runs" ADD COLUMN "tags" jsonb DEFAULT '{}'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "spending_days" ADD CONSTRAINT "spending_days_organization_id_date_key_id_task_model_tags_pk" PRIMARY KEY("organization_id","date","key_id","task","model","tags");--> statement-breakpoint
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_invited_by_api_keys_id_fk" FOREIGN KEY ("invited_by") REFERENCES "public"."api_keys"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_accepted_by_people_id_fk" FOREIGN KEY ("accepted_by") REFERENCES "public"."people"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "passkeys" ADD CONSTRAINT "passkeys_person_id_people_id_fk" FOREIGN KEY ("person_id") REFERENCES "public"."people"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "people" ADD CONSTRAINT "people_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "people" ADD CONSTRAINT "people_key_id_api_keys_id_fk" FOREIGN KEY ("key_id") REFERENCES "public"."api_keys"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sign_in_challenges" ADD CONSTRAINT "sign_in_challenges_person_id_people_id_fk" FOREIGN KEY ("person_id") REFERENCES "public"."people"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "audit_events" ADD CONSTRAINT "audit_events_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "audit_heads" ADD CONSTRAINT "audit_heads_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger_tags" ADD CONSTRAINT "ledger_tags_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tags" ADD CONSTRAINT "tags_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tags" ADD CONSTRAINT "tags_updated_by_api_keys_id_fk" FOREIGN KEY ("updated_by") REFERENCES "public"."api_keys"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "invitations_organization" ON "invitations" USING btree ("organization_id","id");--> statement-breakpoint
CREATE INDEX "passkeys_person" ON "passkeys" USING btree ("person_id");--> statement-breakpoint
CREATE INDEX "people_organization" ON "people" USING btree ("organization_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "people_email" ON "people" USING btree ("email") WHERE removed_at is null;--> statement-breakpoint
CREATE UNIQUE INDEX "people_oidc" ON "people" USING btree ("oidc_issuer","oidc_subject") WHERE removed_at is null;--> statement-breakpoint
CREATE INDEX "sign_in_challenges_expiry" ON "sign_in_challenges" USING btree ("expires_at");--> statement-breakpoint
CREATE UNIQUE INDEX "audit_events_seq" ON "audit_events" USING btree ("organization_id","seq");--> statement-breakpoint
CREATE INDEX "audit_events_action" ON "audit_events" USING btree ("organization_id","action","seq");--> statement-breakpoint
CREATE INDEX "audit_events_actor" ON "audit_events" USING btree ("organization_id","actor_id","seq");--> statement-breakpoint
CREATE INDEX "audit_events_target" ON "audit_events" USING btree ("organization_id","target_id","seq");--> statement-breakpoint
CREATE INDEX "audit_events_time" ON "audit_events" USING btree ("organization_id","created_at","seq");--> statement-breakpoint
CREATE INDEX "api_keys_person" ON "api_keys" USING btree ("person_id") WHERE person_id is not null;--> statement-breakpoint
CREATE INDEX "generations_maker" ON "generations" USING btree ("created_by","id");--> statement-breakpoint
CREATE INDEX "uploads_maker" ON "uploads" USING btree ("created_by","id");--> statement-breakpoint
CREATE INDEX "spending_days_key" ON "spending_days" USING btree ("organization_id","key_id","date");--> statement-breakpoint
CREATE INDEX "workflow_runs_maker" ON "workflow_runs" USING btree ("created_by","id");--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_previous_sha256_unique" UNIQUE("previous_sha256");--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_id_unique" UNIQUE("id");--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_previous_sha256_unique" UNIQUE("previous_sha256");--> statement-breakpoint
-- Assigns sequence number, time, balances and hash under the lock of the account, rejects entries that break a rule, and
-- updates the sums: account, budgets and daily spending.
CREATE OR REPLACE FUNCTION "append_ledger_entry"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
	account accounts%ROWTYPE;
	budget budgets%ROWTYPE;
	held bigint := 0;
	spent bigint := 0;
	earlier bigint;
	this_month date;
BEGIN
	SELECT * INTO account FROM accounts WHERE organization_id = NEW.organization_id FOR UPDATE;
	IF NOT FOUND THEN
		INSERT INTO accounts (organization_id, available_micro_usd, reserved_micro_usd, spent_micro_usd, last_seq)
			VALUES (NEW.organization_id, 0, 0, 0, 0) ON CONFLICT DO NOTHING;
		SELECT * INTO account FROM accounts WHERE organization_id = NEW.organization_id FOR UPDATE;
	END IF;
	IF NEW.type IN ('RESERVE', 'RELEASE') THEN
		held := -NEW.amount_micro_usd;
	ELSIF NEW.type IN ('SETTLE', 'REFUND') THEN
		spent := -NEW.amount_micro_usd;
	END IF;
	NEW.seq := account.last_seq + 1;
	NEW.created_at := greatest(NEW.created_at, account.last_entry_at);
	NEW.available_after_micro_usd := account.available_micro_usd + NEW.amount_micro_usd;
	NEW.balance_after_micro_usd := NEW.available_after_micro_usd + account.reserved_micro_usd + held;

	IF NEW.available_after_micro_usd < 0 AND NEW.type IN ('RESERVE', 'ADJUSTMENT') THEN
		RAISE EXCEPTION 'More than is available.' USING ERRCODE = 'EM001',
			DETAIL = json_build_object('needed', (-NEW.amount_micro_usd)::text, 'available', account.available_micro_usd::text);
	END IF;
	IF NEW.type = 'RELEASE' THEN
		SELECT -amount_micro_usd INTO earlier FROM ledger_entries WHERE generation_id = NEW.generation_id
			AND type = 'RESERVE' AND organization_id = NEW.organization_id;
		IF earlier IS DISTINCT FROM NEW.amount_micro_usd THEN
			RAISE EXCEPTION 'A RELEASE gives back what its RESERVE took, and once.' USING ERRCODE = 'EM004';
		END IF;
	ELSIF NEW.type = 'SETTLE' THEN
		SELECT amount_micro_usd INTO earlier FROM ledger_entries WHERE generation_id = NEW.generation_id
			AND type = 'RELEASE' AND organization_id = NEW.organization_id;
		IF earlier IS NULL OR earlier < spent THEN
			RAISE EXCEPTION 'A SETTLE takes at most what its RELEASE gave back.' USING ERRCODE = 'EM004';
		END IF;
	ELSIF NEW.type = 'REFUND' THEN
		SELECT coalesce(-sum(amount_micro_usd), 0) INTO earlier FROM ledger_entries
			WHERE generation_id = NEW.generation_id AND type IN ('SETTLE', 'REFUND') AND organization_id = NEW.organization_id;
		IF earlier < NEW.amount_micro_usd THEN
			RAISE EXCEPTION 'A REFUND gives back at most what was charged.' USING ERRCODE = 'EM003',
				DETAIL = json_build_object('left', earlier::text);
		END IF;
	END IF;

	IF held <> 0 OR spent <> 0 THEN
		this_month := date_trunc('month', NEW.created_at AT TIME ZONE 'UTC')::date;
		FOR budget IN SELECT * FROM budgets WHERE organization_id = NEW.organization_id
			AND id IN ('organization', NEW.key_id) ORDER BY id DESC FOR UPDATE
		LOOP
			IF budget.month < this_month THEN
				budget.spent_micro_usd := 0;
			END IF;
			IF NEW.type = 'RESERVE'
				AND budget.spent_micro_usd + budget.reserved_micro_usd + held > budget.limit_micro_usd THEN
				RAISE EXCEPTION 'Above a budget.' USING ERRCODE = 'EM002', DETAIL = json_build_object(
					'needed', held::text,
					'limit', budget.limit_micro_usd::text,
					'left', greatest(budget.limit_micro_usd - budget.spent_micro_usd - budget.reserved_micro_usd, 0)::text,
					'month', to_char(this_month, 'YYYY-MM'),
					'contact', budget.contact,
					'key_name', (SELECT name FROM api_keys WHERE id = budget.id));
			END IF;
			UPDATE budgets SET month = greatest(budget.month, this_month), spent_micro_usd = budget.spent_micro_usd + spent,
				reserved_micro_usd = budget.reserved_micro_usd + held
				WHERE organization_id = budget.organization_id AND id = budget.id;
		END LOOP;
	END IF;
	IF spent <> 0 THEN
		INSERT INTO spending_days AS days (organization_id, date, key_id, task, model, tags, spent_micro_usd, count)
			VALUES (NEW.organization_id, (NEW.created_at AT TIME ZONE 'UTC')::date, NEW.key_id, NEW.task,
				coalesce(NEW.model, ''), coalesce((SELECT tags::text FROM generations WHERE id = NEW.generation_id), '{}'),
				spent, (NEW.type = 'SETTLE')::int)
			ON CONFLICT (organization_id, date, key_id, task, model, tags) DO UPDATE
			SET spent_micro_usd = days.spent_micro_usd + excluded.spent_micro_usd, count = days.count + excluded.count;
	END IF;

	NEW.hash := ledger_entry_hash(account.last_hash, NEW);
	UPDATE accounts SET available_micro_usd = NEW.available_after_micro_usd,
		reserved_micro_usd = account.reserved_micro_usd + held, spent_micro_usd = account.spent_micro_usd + spent,
		last_seq = NEW.seq, last_hash = NEW.hash, last_entry_at = NEW.created_at
		WHERE organization_id = NEW.organization_id;
	RETURN NEW;
END $$;
--> statement-breakpoint
-- Lists the entries of each value of a tag, so that a filter reads nothing else.
CREATE OR REPLACE FUNCTION "index_ledger_entry_tags"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO ledger_tags (organization_id, name, value, type, seq)
		SELECT NEW.organization_id, tag.key, tag.value, NEW.type, NEW.seq
		FROM generations, jsonb_each_text(generations.tags) AS tag WHERE generations.id = NEW.generation_id;
	RETURN NULL;
END $$;
--> statement-breakpoint
CREATE OR REPLACE TRIGGER "ledger_entries_tags" AFTER INSERT ON "ledger_entries"
	FOR EACH ROW WHEN (NEW.generation_id IS NOT NULL) EXECUTE FUNCTION "index_ledger_entry_tags"();
--> statement-breakpoint
CREATE OR REPLACE TRIGGER "ledger_tags_follow_entries" BEFORE INSERT OR UPDATE ON "ledger_tags"
	FOR EACH STATEMENT WHEN (pg_trigger_depth() = 0) EXECUTE FUNCTION "refuse_change"();
--> statement-breakpoint
CREATE OR REPLACE TRIGGER "ledger_tags_stay" BEFORE DELETE OR TRUNCATE ON "ledger_tags"
	FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"();
--> statement-breakpoint
-- Sums by tag stay true only while a generation keeps its tags.
CREATE OR REPLACE TRIGGER "generations_tags_stay" BEFORE UPDATE OF "tags" ON "generations"
	FOR EACH ROW WHEN (OLD.tags IS DISTINCT FROM NEW.tags) EXECUTE FUNCTION "refuse_change"();
--> statement-breakpoint
-- Hashes the canonical form of an event (docs/audit-log.md). audit/verify-events.ts computes the same in JavaScript.
CREATE OR REPLACE FUNCTION "audit_event_hash"("previous_hash" text, "event" "audit_events") RETURNS text LANGUAGE sql STABLE AS $$
	SELECT encode(sha256(convert_to('[' || array_to_string(ARRAY[
		to_json(previous_hash)::text,
		to_json(event.organization_id)::text,
		to_json(event.seq::text)::text,
		to_json(event.id)::text,
		to_json(event.action)::text,
		to_json(event.actor_type)::text,
		to_json(event.actor_id)::text,
		to_json(event.actor_name)::text,
		to_json(event.address)::text,
		to_json(event.target_type)::text,
		to_json(event.target_id)::text,
		to_json(event.target_name)::text,
		to_json(event.before::text)::text,
		to_json(event.after::text)::text,
		to_json(to_char(event.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))::text
	], ',', 'null') || ']', 'UTF8')), 'hex');
$$;
--> statement-breakpoint
-- Assigns sequence number, time and hash under the lock of the organization's head.
CREATE OR REPLACE FUNCTION "append_audit_event"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
	head audit_heads%ROWTYPE;
BEGIN
	SELECT * INTO head FROM audit_heads WHERE organization_id = NEW.organization_id FOR UPDATE;
	IF NOT FOUND THEN
		INSERT INTO audit_heads (organization_id, last_seq, last_hash, last_event_at)
			VALUES (NEW.organization_id, 0, repeat('0', 64), NEW.created_at) ON CONFLICT DO NOTHING;
		SELECT * INTO head FROM audit_heads WHERE organization_id = NEW.organization_id FOR UPDATE;
	END IF;
	NEW.seq := head.last_seq + 1;
	NEW.created_at := greatest(NEW.created_at, head.last_event_at);
	NEW.hash := audit_event_hash(head.last_hash, NEW);
	UPDATE audit_heads SET last_seq = NEW.seq, last_hash = NEW.hash, last_event_at = NEW.created_at
		WHERE organization_id = NEW.organization_id;
	RETURN NEW;
END $$;
--> statement-breakpoint
CREATE OR REPLACE TRIGGER "audit_events_append" BEFORE INSERT ON "audit_events"
	FOR EACH ROW EXECUTE FUNCTION "append_audit_event"();
--> statement-breakpoint
CREATE OR REPLACE FUNCTION "refuse_audit_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	RAISE EXCEPTION 'The audit log is append-only: % of % is refused.', TG_OP, TG_TABLE_NAME USING ERRCODE = 'EM005';
END $$;
--> statement-breakpoint
CREATE OR REPLACE TRIGGER "audit_events_append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "audit_events"
	FOR EACH STATEMENT EXECUTE FUNCTION "refuse_audit_change"();
--> statement-breakpoint
-- The head changes only from within the trigger that appends events.
CREATE OR REPLACE TRIGGER "audit_heads_follow_events" BEFORE INSERT OR UPDATE ON "audit_heads"
	FOR EACH STATEMENT WHEN (pg_trigger_depth() = 0) EXECUTE FUNCTION "refuse_audit_change"();
--> statement-breakpoint
CREATE OR REPLACE TRIGGER "audit_heads_stay" BEFORE DELETE OR TRUNCATE ON "audit_heads"
	FOR EACH STATEMENT EXECUTE FUNCTION "refuse_audit_change"();
--> statement-breakpoint
-- ALWAYS: the trigger also fires in replication and in a restore that disables triggers.
ALTER TABLE "audit_events" ENABLE ALWAYS TRIGGER "audit_events_append_only";
