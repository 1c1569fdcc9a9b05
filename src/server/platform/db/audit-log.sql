-- The rules of the audit log that the database enforces, as they are in force; like ledger.sql, and changed like it.

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
