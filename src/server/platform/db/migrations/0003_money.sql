CREATE TABLE "budgets" (
	"organization_id" text NOT NULL,
	"id" text NOT NULL,
	"limit_micro_usd" bigint NOT NULL,
	"warn_at_percent" integer NOT NULL,
	"contact" text,
	"month" date NOT NULL,
	"spent_micro_usd" bigint NOT NULL,
	"reserved_micro_usd" bigint NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "budgets_organization_id_id_pk" PRIMARY KEY("organization_id","id")
);
--> statement-breakpoint
CREATE TABLE "price_books" (
	"since" timestamp (3) with time zone PRIMARY KEY NOT NULL,
	"prices" jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "spending_days" (
	"organization_id" text NOT NULL,
	"date" date NOT NULL,
	"key_id" text NOT NULL,
	"task" text NOT NULL,
	"model" text NOT NULL,
	"spent_micro_usd" bigint NOT NULL,
	"count" integer NOT NULL,
	CONSTRAINT "spending_days_organization_id_date_key_id_task_model_pk" PRIMARY KEY("organization_id","date","key_id","task","model")
);
--> statement-breakpoint
DROP INDEX "ledger_entries_spent";--> statement-breakpoint
ALTER TABLE "ledger_entries" ALTER COLUMN "seq" SET DEFAULT 0;--> statement-breakpoint
ALTER TABLE "ledger_entries" ALTER COLUMN "available_after_micro_usd" SET DEFAULT 0;--> statement-breakpoint
ALTER TABLE "ledger_entries" ALTER COLUMN "balance_after_micro_usd" SET DEFAULT 0;--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "last_hash" text DEFAULT '0000000000000000000000000000000000000000000000000000000000000000' NOT NULL;--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "last_entry_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "ledger_entries" ADD COLUMN "key_id" text;--> statement-breakpoint
ALTER TABLE "ledger_entries" ADD COLUMN "hash" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "budgets" ADD CONSTRAINT "budgets_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "spending_days" ADD CONSTRAINT "spending_days_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "generations_reserved" ON "generations" USING btree ("organization_id","id") WHERE billing_status = 'reserved';--> statement-breakpoint
CREATE INDEX "ledger_entries_time" ON "ledger_entries" USING btree ("organization_id","created_at","seq");--> statement-breakpoint
CREATE INDEX "ledger_entries_type" ON "ledger_entries" USING btree ("organization_id","type","seq");--> statement-breakpoint
CREATE INDEX "ledger_entries_model" ON "ledger_entries" USING btree ("organization_id","task",coalesce("model", ''),"type","seq");--> statement-breakpoint
CREATE INDEX "ledger_entries_key" ON "ledger_entries" USING btree ("organization_id","key_id","task",coalesce("model", ''),"type","seq");--> statement-breakpoint
CREATE INDEX "ledger_entries_run" ON "ledger_entries" USING btree ("workflow_run_id","seq") WHERE workflow_run_id is not null;--> statement-breakpoint
-- The canonical form of an entry: see docs/ledger.md. The service computes the same when it verifies.
CREATE FUNCTION "ledger_entry_hash"("previous_hash" text, "entry" "ledger_entries") RETURNS text LANGUAGE sql STABLE AS $$
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
-- What was written before entries were chained, in the order in which it was written.
UPDATE "ledger_entries" SET "task" = g."task", "model" = g."model", "key_id" = g."created_by"
	FROM "generations" g WHERE g."id" = "ledger_entries"."generation_id";
--> statement-breakpoint
DO $$
DECLARE
	entry ledger_entries%ROWTYPE;
	previous ledger_entries%ROWTYPE;
BEGIN
	FOR entry IN SELECT * FROM ledger_entries ORDER BY organization_id, seq LOOP
		IF previous.organization_id IS DISTINCT FROM entry.organization_id THEN
			previous.hash := repeat('0', 64);
			previous.created_at := entry.created_at;
		END IF;
		entry.created_at := greatest(entry.created_at, previous.created_at);
		entry.hash := ledger_entry_hash(previous.hash, entry);
		UPDATE ledger_entries SET created_at = entry.created_at, hash = entry.hash WHERE id = entry.id;
		UPDATE accounts SET last_hash = entry.hash, last_entry_at = entry.created_at
			WHERE organization_id = entry.organization_id AND last_seq = entry.seq;
		previous := entry;
	END LOOP;
END $$;
--> statement-breakpoint
INSERT INTO "spending_days" ("organization_id", "date", "key_id", "task", "model", "spent_micro_usd", "count")
	SELECT organization_id, (created_at AT TIME ZONE 'UTC')::date, key_id, task, coalesce(model, ''),
		-sum(amount_micro_usd), count(*) FILTER (WHERE type = 'SETTLE')
	FROM ledger_entries WHERE type IN ('SETTLE', 'REFUND') GROUP BY 1, 2, 3, 4, 5;
--> statement-breakpoint
-- Not valid: what stands in a ledger already is for `admin verify` to judge, and keeps no service from starting.
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
-- Gives an entry its place and its balances, under the lock of the account, and keeps all that is summed up from entries.
-- EM001: more than is available. EM002: above a budget. EM003: more than was charged. EM004: no such movement.
CREATE FUNCTION "append_ledger_entry"() RETURNS trigger LANGUAGE plpgsql AS $$
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
		INSERT INTO spending_days AS days (organization_id, date, key_id, task, model, spent_micro_usd, count)
			VALUES (NEW.organization_id, (NEW.created_at AT TIME ZONE 'UTC')::date, NEW.key_id, NEW.task,
				coalesce(NEW.model, ''), spent, (NEW.type = 'SETTLE')::int)
			ON CONFLICT (organization_id, date, key_id, task, model) DO UPDATE
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
CREATE TRIGGER "ledger_entries_append" BEFORE INSERT ON "ledger_entries"
	FOR EACH ROW EXECUTE FUNCTION "append_ledger_entry"();
--> statement-breakpoint
CREATE FUNCTION "refuse_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	RAISE EXCEPTION 'The ledger is append-only: % of % is refused.', TG_OP, TG_TABLE_NAME USING ERRCODE = 'EM005';
END $$;
--> statement-breakpoint
CREATE TRIGGER "ledger_entries_append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "ledger_entries"
	FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"();
--> statement-breakpoint
-- Sums of entries change with entries alone: from within the trigger that appends them.
CREATE TRIGGER "accounts_follow_entries" BEFORE INSERT OR UPDATE ON "accounts"
	FOR EACH STATEMENT WHEN (pg_trigger_depth() = 0) EXECUTE FUNCTION "refuse_change"();
--> statement-breakpoint
CREATE TRIGGER "accounts_stay" BEFORE DELETE OR TRUNCATE ON "accounts"
	FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"();
--> statement-breakpoint
CREATE TRIGGER "spending_days_follow_entries" BEFORE INSERT OR UPDATE ON "spending_days"
	FOR EACH STATEMENT WHEN (pg_trigger_depth() = 0) EXECUTE FUNCTION "refuse_change"();
--> statement-breakpoint
CREATE TRIGGER "spending_days_stay" BEFORE DELETE OR TRUNCATE ON "spending_days"
	FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"();
--> statement-breakpoint
-- Whoever replicates or restores with triggers off still can't rewrite what is there.
ALTER TABLE "ledger_entries" ENABLE ALWAYS TRIGGER "ledger_entries_append_only";
