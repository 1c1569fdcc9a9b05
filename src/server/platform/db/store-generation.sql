-- How a new generation is stored (store-generation.ts), as it is in force; changed like ledger.sql.

-- Stores a generation with its words, tags and uses of media, reserves its price and returns its turn. One call is one
-- round trip, and its statements are planned once per connection. The key is locked first (next_turn), the account last,
-- since other requests wait for it.
--   draft         columns of generations, without its turn
--   words         of its prompt and metadata, or null
--   uses          rows of media_uses, or null
--   reservation   id and description of the RESERVE entry; null for a free generation
CREATE OR REPLACE FUNCTION "store_generation"("draft" jsonb, "words" tsvector, "uses" jsonb, "reservation" jsonb) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
	new generations%ROWTYPE := jsonb_populate_record(NULL::generations, draft);
BEGIN
	-- Lock the account before the key. Otherwise a create that waits for the account keeps its key locked, and
	-- every further create of that key waits for it.
	IF reservation IS NOT NULL THEN
		PERFORM FROM accounts WHERE organization_id = new.organization_id FOR UPDATE;
	END IF;
	new.turn := next_turn(new.created_by, new.lane);
	-- Columns are named, so that those that a later version adds get their defaults.
	INSERT INTO generations (id, organization_id, task, model, model_version, status, input, input_excerpt, metadata, progress,
			provider_status, output_data, error, amount_micro_usd, line_items, billing_status, chain_id, retry_of,
			workflow_run_id, batch_id, created_by, tags, lease_owner, lease_expires_at, attempts, lane, turn,
			cancel_requested, storage_failed_at, created_at, started_at, updated_at, completed_at)
		VALUES (new.id, new.organization_id, new.task, new.model, new.model_version, new.status, new.input, new.input_excerpt, new.metadata,
			new.progress, new.provider_status, new.output_data, new.error, new.amount_micro_usd, new.line_items,
			new.billing_status, new.chain_id, new.retry_of, new.workflow_run_id, new.batch_id, new.created_by, new.tags,
			new.lease_owner, new.lease_expires_at, new.attempts, new.lane, new.turn, new.cancel_requested,
			new.storage_failed_at, new.created_at, new.started_at, new.updated_at, new.completed_at);
	IF words IS NOT NULL THEN
		INSERT INTO generation_words (generation_id, words) VALUES (new.id, store_generation.words);
	END IF;
	IF uses IS NOT NULL THEN
		INSERT INTO media_uses (generation_id, field, organization_id, media_id, media_type)
			SELECT new.id, used.field, new.organization_id, used.media_id, used.media_type
			FROM jsonb_populate_recordset(NULL::media_uses, uses) AS used;
	END IF;
	IF new.tags <> '{}' THEN
		INSERT INTO generation_tags (organization_id, name, value, generation_id)
			SELECT new.organization_id, tag.key, tag.value, new.id FROM jsonb_each_text(new.tags) AS tag;
		-- For suggestions, to the hour.
		INSERT INTO tag_values (organization_id, name, value, created_by, last_used_at)
			SELECT new.organization_id, tag.key, tag.value, new.created_by, new.created_at
			FROM jsonb_each_text(new.tags) AS tag
			ON CONFLICT (organization_id, name, created_by, value) DO UPDATE SET last_used_at = excluded.last_used_at
			WHERE tag_values.last_used_at < excluded.last_used_at - interval '1 hour';
	END IF;
	IF reservation IS NOT NULL THEN
		INSERT INTO ledger_entries (id, organization_id, type, amount_micro_usd, generation_id, task, model, key_id,
				workflow_run_id, description, created_by, created_at)
			VALUES (reservation->>'id', new.organization_id, 'RESERVE', -new.amount_micro_usd, new.id, new.task, new.model,
				new.created_by, new.workflow_run_id, reservation->>'description', new.created_by, new.created_at);
	END IF;
	RETURN new.turn;
END $$;
