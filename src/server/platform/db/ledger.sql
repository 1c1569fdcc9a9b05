-- The rules of the ledger that the database enforces: every function, trigger and check of the schema, as they are in
-- force. docs/ledger.md describes them; unique keys and indexes are in billing-schema.ts.
--
-- To change a rule, edit its statement here and add a migration that runs the same statement:
--   npm run db:generate -- --custom --name <name>
-- A check needs `ALTER TABLE … DROP CONSTRAINT …` before it in the migration. Applied migrations never change.
-- ledger.test.ts fails while a migrated database and this file differ.
--
-- SQLSTATEs that the service reads (billing-errors.ts):
--   EM001  more than the available funds     EM003  refund above the charge           EM005  change of an entry or a sum
--   EM002  above a budget                    EM004  entry that does not fit earlier ones

-- Hashes the canonical form of an entry (docs/ledger.md). ledger-audit.ts computes the same in JavaScript.
CREATE OR REPLACE FUNCTION "ledger_entry_hash"("previous_hash" text, "entry" "ledger_entries") RETURNS text LANGUAGE sql STABLE AS $$
	SELECT encode(sha256(convert_to('[' || array_to_string(ARRAY[
		to_json(previous_hash)::text,
		to_json(entry.organization_id)::text,
		to_json(entry.seq::text)::text,
		to_json(entry.id)::text,
		to_json(entry.type)::text,
		to_json(entry.amount_micro_usd::text)::text,
		to_json(entry.available_after_micro_usd::text)::text,
		to_json(entry.balance_after_micro_usd::text)::text,
		to_json(entry.generation_id)::text,
		to_json(entry.task)::text,
		to_json(entry.model)::text,
		to_json(entry.workflow_run_id)::text,
		to_json(entry.description)::text,
		to_json(entry.key_id)::text,
		to_json(entry.created_by)::text,
		to_json(to_char(entry.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))::text
	], ',', 'null') || ']', 'UTF8')), 'hex');
$$;
--> statement-breakpoint
-- NOT VALID skips entries that existed before the check: a wrong one must fail `admin verify`, not the start of the service.
ALTER TABLE "ledger_entries" ADD CONSTRAINT "ledger_entries_sign" CHECK (CASE "type"
	WHEN 'TOP_UP' THEN "amount_micro_usd" > 0
	WHEN 'ADMIN_CREDIT' THEN "amount_micro_usd" > 0
	WHEN 'RESERVE' THEN "amount_micro_usd" < 0
	WHEN 'RELEASE' THEN "amount_micro_usd" > 0
	WHEN 'SETTLE' THEN "amount_micro_usd" < 0
	WHEN 'REFUND' THEN "amount_micro_usd" > 0
	WHEN 'ADJUSTMENT' THEN "amount_micro_usd" <> 0
	ELSE false END) NOT VALID;
--> statement-breakpoint
ALTER TABLE "ledger_entries" ADD CONSTRAINT "ledger_entries_of_generation" CHECK (CASE
	WHEN "type" IN ('RESERVE', 'RELEASE', 'SETTLE', 'REFUND')
	THEN "generation_id" IS NOT NULL AND "task" IS NOT NULL AND "key_id" IS NOT NULL
	ELSE "generation_id" IS NULL AND "task" IS NULL AND "model" IS NULL AND "key_id" IS NULL END) NOT VALID;
--> statement-breakpoint
ALTER TABLE "ledger_entries" ADD CONSTRAINT "ledger_entries_covered" CHECK (
	"available_after_micro_usd" >= 0 AND "balance_after_micro_usd" >= "available_after_micro_usd") NOT VALID;
--> statement-breakpoint
ALTER TABLE "accounts" ADD CONSTRAINT "accounts_covered" CHECK (
	"available_micro_usd" >= 0 AND "reserved_micro_usd" >= 0 AND "last_seq" >= 0) NOT VALID;
--> statement-breakpoint
-- Assigns sequence number, time, balances and hash under the lock of the account, rejects entries that break a rule, and
-- updates the sums: account, budgets and days.
CREATE OR REPLACE FUNCTION "append_ledger_entry"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
	account accounts%ROWTYPE;
	budget budgets%ROWTYPE;
	held bigint := 0;
	spent bigint := 0;
	earlier bigint;
	scopes text[];
	period date;
	budget_limit bigint;
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
		-- A budget counts what its scope names: the organization, a key, a person with all their keys, a model or a tag.
		SELECT ARRAY['organization', 'key:' || NEW.key_id, 'person:' || keys.person_id, 'model:' || NEW.model]
			|| ARRAY(SELECT 'tag:' || tags.key || '=' || tags.value FROM jsonb_each_text(orders.tags) AS tags)
			INTO scopes
			FROM generations AS orders LEFT JOIN api_keys AS keys ON keys.id = NEW.key_id
			WHERE orders.id = NEW.generation_id;
		FOR budget IN SELECT * FROM budgets WHERE organization_id = NEW.organization_id
			AND scope = ANY(scopes) ORDER BY id DESC FOR UPDATE
		LOOP
			period := date_trunc(budget."interval", NEW.created_at AT TIME ZONE 'UTC')::date;
			IF budget.interval_start < period THEN
				budget.interval_start := period;
				budget.spent_micro_usd := 0;
				budget.extra_micro_usd := 0;
			END IF;
			budget_limit := budget.limit_micro_usd + budget.extra_micro_usd;
			IF NEW.type = 'RESERVE'
				AND budget.spent_micro_usd + budget.reserved_micro_usd + held > budget_limit THEN
				RAISE EXCEPTION 'Above a budget.' USING ERRCODE = 'EM002', DETAIL = json_build_object(
					'id', budget.id,
					'scope', budget.scope,
					'scope_name', CASE split_part(budget.scope, ':', 1)
						WHEN 'key' THEN (SELECT name FROM api_keys WHERE id = NEW.key_id)
						WHEN 'person' THEN (SELECT name FROM people WHERE 'person:' || id = budget.scope) END,
					'interval', budget."interval",
					'interval_start', budget.interval_start,
					'needed', held::text,
					'limit', budget_limit::text,
					'left', greatest(budget_limit - budget.spent_micro_usd - budget.reserved_micro_usd, 0)::text,
					'contact', budget.contact);
			END IF;
			UPDATE budgets SET interval_start = budget.interval_start, extra_micro_usd = budget.extra_micro_usd,
				spent_micro_usd = budget.spent_micro_usd + spent, reserved_micro_usd = budget.reserved_micro_usd + held
				WHERE organization_id = budget.organization_id AND id = budget.id;
		END LOOP;
	END IF;
	INSERT INTO ledger_days AS days (organization_id, by_tags, type, date, key_id, task, model, tags, amount_micro_usd, count)
		SELECT NEW.organization_id, by_tags, NEW.type, (NEW.created_at AT TIME ZONE 'UTC')::date, coalesce(NEW.key_id, ''),
			coalesce(NEW.task, ''), coalesce(NEW.model, ''), tags, NEW.amount_micro_usd, 1
		FROM (VALUES (false, '{}'),
			(true, coalesce((SELECT tags FROM generations WHERE id = NEW.generation_id), '{}'))) AS labels (by_tags, tags)
		ON CONFLICT (organization_id, by_tags, type, date, key_id, task, model, tags) DO UPDATE
		SET amount_micro_usd = days.amount_micro_usd + excluded.amount_micro_usd, count = days.count + 1;

	NEW.hash := ledger_entry_hash(account.last_hash, NEW);
	UPDATE accounts SET available_micro_usd = NEW.available_after_micro_usd,
		reserved_micro_usd = account.reserved_micro_usd + held, spent_micro_usd = account.spent_micro_usd + spent,
		last_seq = NEW.seq, last_hash = NEW.hash, last_entry_at = NEW.created_at
		WHERE organization_id = NEW.organization_id;
	RETURN NEW;
END $$;
--> statement-breakpoint
CREATE OR REPLACE TRIGGER "ledger_entries_append" BEFORE INSERT ON "ledger_entries"
	FOR EACH ROW EXECUTE FUNCTION "append_ledger_entry"();
--> statement-breakpoint
CREATE OR REPLACE FUNCTION "refuse_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	RAISE EXCEPTION 'The ledger is append-only: % of % is refused.', TG_OP, TG_TABLE_NAME USING ERRCODE = 'EM005';
END $$;
--> statement-breakpoint
CREATE OR REPLACE TRIGGER "ledger_entries_append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "ledger_entries"
	FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"();
--> statement-breakpoint
-- Sums change only from within the trigger that appends entries.
CREATE OR REPLACE TRIGGER "accounts_follow_entries" BEFORE INSERT OR UPDATE ON "accounts"
	FOR EACH STATEMENT WHEN (pg_trigger_depth() = 0) EXECUTE FUNCTION "refuse_change"();
--> statement-breakpoint
CREATE OR REPLACE TRIGGER "accounts_stay" BEFORE DELETE OR TRUNCATE ON "accounts"
	FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"();
--> statement-breakpoint
CREATE OR REPLACE TRIGGER "ledger_days_follow_entries" BEFORE INSERT OR UPDATE ON "ledger_days"
	FOR EACH STATEMENT WHEN (pg_trigger_depth() = 0) EXECUTE FUNCTION "refuse_change"();
--> statement-breakpoint
CREATE OR REPLACE TRIGGER "ledger_days_stay" BEFORE DELETE OR TRUNCATE ON "ledger_days"
	FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"();
--> statement-breakpoint
-- ALWAYS: the trigger also fires in replication and in a restore that disables triggers.
ALTER TABLE "ledger_entries" ENABLE ALWAYS TRIGGER "ledger_entries_append_only";
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
