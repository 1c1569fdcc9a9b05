-- How generations take turns (store-generation.sql), as it is in force; changed like ledger.sql.
--   EM006  the key was revoked

-- Locks the key, so that its work is queued in order and nothing is queued after it is revoked, and returns the turn of
-- its next generation. Each statement reads what the transaction sees after it has the lock. The keys of an organization
-- share its turns: the more of them have work in the queue, the further apart are the turns that each gets.
-- Without sorts, a query that is ordered by key and turn reads one entry of the index on them. Statistics that are behind
-- the queue would lead to plans that read all of it.
CREATE OR REPLACE FUNCTION "next_turn"("of_key" text, "of_lane" text) RETURNS integer LANGUAGE plpgsql SET enable_sort = off AS $$
DECLARE
	revoked timestamptz;
	organization text;
	first_turn integer;
	last_of_key integer;
	colleagues integer;
BEGIN
	SELECT revoked_at, organization_id INTO revoked, organization FROM api_keys WHERE id = of_key FOR NO KEY UPDATE;
	IF revoked IS NOT NULL THEN
		RAISE EXCEPTION 'This key has been revoked.' USING ERRCODE = 'EM006';
	END IF;
	SELECT turn INTO first_turn FROM generations WHERE status = 'queued' AND lane = of_lane ORDER BY turn LIMIT 1;
	IF first_turn IS NULL THEN
		RETURN 0;
	END IF;
	-- A range of one key: with an equal key, another index would have this order.
	SELECT turn INTO last_of_key FROM generations
		WHERE status = 'queued' AND lane = of_lane AND created_by BETWEEN of_key AND of_key
		ORDER BY created_by DESC, turn DESC LIMIT 1;
	-- Bounded, because an organization may have any number of keys.
	SELECT count(*) INTO colleagues FROM (
		SELECT id FROM api_keys
		WHERE organization_id = organization AND revoked_at IS NULL AND id <> of_key LIMIT 200
	) AS keys
	WHERE (SELECT turn FROM generations
		WHERE status = 'queued' AND lane = of_lane AND created_by BETWEEN keys.id AND keys.id
		ORDER BY created_by, turn LIMIT 1) IS NOT NULL;
	RETURN greatest(first_turn, first_turn + colleagues - 1, last_of_key + 1 + colleagues, 0);
END $$;
