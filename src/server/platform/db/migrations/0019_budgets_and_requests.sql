CREATE TABLE "requests" (
	"id" text PRIMARY KEY NOT NULL,
	"organization_id" text NOT NULL,
	"kind" text NOT NULL,
	"status" text NOT NULL,
	"note" text NOT NULL,
	"created_by" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"decided_by" text,
	"decided_at" timestamp (3) with time zone,
	"reason" text,
	"amount_micro_usd" bigint NOT NULL,
	"budget_id" text,
	"permanent" boolean DEFAULT false NOT NULL,
	"order" jsonb,
	"media_ids" text[] DEFAULT '{}' NOT NULL,
	"generation_id" text,
	"workflow_run_id" text
);--> statement-breakpoint
ALTER TABLE "organizations" ADD COLUMN "approval_above_micro_usd" bigint;--> statement-breakpoint
ALTER TABLE "budgets" RENAME COLUMN "month" TO "interval_start";--> statement-breakpoint
ALTER TABLE "budgets" ADD COLUMN "scope" text;--> statement-breakpoint
ALTER TABLE "budgets" ADD COLUMN "interval" text;--> statement-breakpoint
UPDATE "budgets" SET "interval" = 'month', "scope" = CASE "id" WHEN 'organization' THEN 'organization' ELSE 'key:' || "id" END;--> statement-breakpoint
ALTER TABLE "budgets" ALTER COLUMN "scope" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "budgets" ALTER COLUMN "interval" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "budgets" ADD COLUMN "extra_micro_usd" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "budgets" ADD COLUMN "updated_by" text;--> statement-breakpoint
ALTER TABLE "requests" ADD CONSTRAINT "requests_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "requests" ADD CONSTRAINT "requests_created_by_api_keys_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."api_keys"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "requests" ADD CONSTRAINT "requests_decided_by_api_keys_id_fk" FOREIGN KEY ("decided_by") REFERENCES "public"."api_keys"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "requests" ADD CONSTRAINT "requests_generation_id_generations_id_fk" FOREIGN KEY ("generation_id") REFERENCES "public"."generations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "requests" ADD CONSTRAINT "requests_workflow_run_id_workflow_runs_id_fk" FOREIGN KEY ("workflow_run_id") REFERENCES "public"."workflow_runs"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "requests_list" ON "requests" USING btree ("organization_id","id");--> statement-breakpoint
CREATE INDEX "requests_own" ON "requests" USING btree ("organization_id","created_by","id");--> statement-breakpoint
CREATE INDEX "requests_pending" ON "requests" USING btree ("organization_id","id") WHERE status = 'pending';--> statement-breakpoint
ALTER TABLE "budgets" ADD CONSTRAINT "budgets_updated_by_api_keys_id_fk" FOREIGN KEY ("updated_by") REFERENCES "public"."api_keys"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "budgets_scope" ON "budgets" USING btree ("organization_id","scope","interval");--> statement-breakpoint
-- Assigns sequence number, time, balances and hash under the lock of the account, rejects entries that break a rule, and
-- updates the sums: account, budgets and daily spending.
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
