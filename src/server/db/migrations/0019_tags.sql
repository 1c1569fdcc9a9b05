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
ALTER TABLE "spending_days" ADD COLUMN "tags" text DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "spending_days" ADD CONSTRAINT "spending_days_organization_id_date_key_id_task_model_tags_pk" PRIMARY KEY("organization_id","date","key_id","task","model","tags");--> statement-breakpoint
ALTER TABLE "workflow_runs" ADD COLUMN "metadata" jsonb;--> statement-breakpoint
ALTER TABLE "workflow_runs" ADD COLUMN "tags" jsonb DEFAULT '{}'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "ledger_tags" ADD CONSTRAINT "ledger_tags_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tags" ADD CONSTRAINT "tags_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tags" ADD CONSTRAINT "tags_updated_by_api_keys_id_fk" FOREIGN KEY ("updated_by") REFERENCES "public"."api_keys"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "spending_days_key" ON "spending_days" USING btree ("organization_id","key_id","date");--> statement-breakpoint
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
