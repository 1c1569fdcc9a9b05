-- Locks the key, so that its work is queued in order and nothing is queued after it is revoked, and returns the turn of
-- its next generation. Each statement reads what the transaction sees after it has the lock.
CREATE OR REPLACE FUNCTION "next_turn"("of_key" text, "of_lane" text) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
	revoked timestamptz;
	first_turn integer;
	next_of_key integer;
BEGIN
	SELECT revoked_at INTO revoked FROM api_keys WHERE id = of_key FOR NO KEY UPDATE;
	IF revoked IS NOT NULL THEN
		RAISE EXCEPTION 'This key has been revoked.' USING ERRCODE = 'EM006';
	END IF;
	SELECT min(turn) INTO first_turn FROM generations WHERE status = 'queued' AND lane = of_lane;
	SELECT max(turn) + 1 INTO next_of_key FROM generations
		WHERE status = 'queued' AND lane = of_lane AND created_by = of_key;
	RETURN greatest(first_turn, next_of_key, 0);
END $$;
