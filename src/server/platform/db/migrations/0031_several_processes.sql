CREATE TABLE "resumable_parts" (
	"resumable_id" text NOT NULL,
	"offset_bytes" bigint NOT NULL,
	"size_bytes" integer NOT NULL,
	"storage_key" text NOT NULL,
	CONSTRAINT "resumable_parts_resumable_id_offset_bytes_pk" PRIMARY KEY("resumable_id","offset_bytes"),
	CONSTRAINT "resumable_parts_storage_key_unique" UNIQUE("storage_key")
);
--> statement-breakpoint
CREATE TABLE "rate_limits" (
	"key" text PRIMARY KEY NOT NULL,
	"points" integer NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "generations" ADD COLUMN "storage_failed_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "resumable_parts" ADD CONSTRAINT "resumable_parts_resumable_id_resumable_uploads_id_fk" FOREIGN KEY ("resumable_id") REFERENCES "public"."resumable_uploads"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "rate_limits_expiry" ON "rate_limits" USING btree ("expires_at");--> statement-breakpoint
-- Locks the key, so that its work is queued in order and nothing is queued after it is revoked, and returns the turn of
-- its next generation. Each statement reads what the transaction sees after it has the lock. The keys of an organization
-- share its turns: the more of them have work in the queue, the further apart are the turns that each gets.
CREATE OR REPLACE FUNCTION "next_turn"("of_key" text, "of_lane" text) RETURNS integer LANGUAGE plpgsql AS $$
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
	SELECT min(turn) INTO first_turn FROM generations WHERE status = 'queued' AND lane = of_lane;
	IF first_turn IS NULL THEN
		RETURN 0;
	END IF;
	SELECT max(turn) INTO last_of_key FROM generations
		WHERE status = 'queued' AND lane = of_lane AND created_by = of_key;
	-- Bounded, because an organization may have any number of keys.
	SELECT count(*) INTO colleagues FROM (
		SELECT id FROM api_keys
		WHERE organization_id = organization AND revoked_at IS NULL AND id <> of_key LIMIT 200
	) AS keys
	WHERE EXISTS (SELECT FROM generations WHERE status = 'queued' AND lane = of_lane AND created_by = keys.id);
	RETURN greatest(first_turn, first_turn + colleagues - 1, last_of_key + 1 + colleagues, 0);
END $$;
