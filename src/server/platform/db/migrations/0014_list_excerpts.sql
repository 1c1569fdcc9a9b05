ALTER TABLE "generations" ADD COLUMN "input_excerpt" jsonb;--> statement-breakpoint
ALTER TABLE "workflow_runs" ADD COLUMN "outline" json DEFAULT '[]'::json NOT NULL;--> statement-breakpoint
ALTER TABLE "workflow_runs" ADD COLUMN "input_excerpt" json;--> statement-breakpoint
ALTER TABLE "workflow_runs" ADD COLUMN "output_excerpt" json;--> statement-breakpoint
UPDATE "generations" SET "input_excerpt" = coalesce((
  SELECT jsonb_object_agg("key", CASE WHEN jsonb_typeof("value") = 'string' AND length("value" #>> '{}') > 1000
    THEN to_jsonb(left("value" #>> '{}', 1000) || '…') ELSE "value" END)
  FROM jsonb_each("input") WHERE jsonb_typeof("value") = 'string' OR length("value"::text) <= 3000
), '{}') WHERE length("input"::text) > 4000;--> statement-breakpoint
UPDATE "workflow_runs" SET "outline" = (
  SELECT json_agg(json_build_object('key', step->'key', 'name', step->'name', 'task', step->'task', 'model', step->'model',
    'needs', coalesce(step->'needs', '[]'), 'is_list', step->>'for_each' IS NOT NULL))
  FROM json_array_elements("definition"->'steps') AS step
);--> statement-breakpoint
UPDATE "workflow_runs" SET "input_excerpt" = coalesce((
  SELECT json_object_agg("key", CASE WHEN json_typeof("value") = 'string' AND length("value" #>> '{}') > 1000
    THEN to_json(left("value" #>> '{}', 1000) || '…') ELSE "value" END)
  FROM json_each("input") WHERE json_typeof("value") = 'string' OR length("value"::text) <= 3000
), '{}') WHERE length("input"::text) > 4000;--> statement-breakpoint
UPDATE "workflow_runs" SET "output_excerpt" = coalesce((
  SELECT json_object_agg("key", CASE WHEN json_typeof("value") = 'string' AND length("value" #>> '{}') > 1000
    THEN to_json(left("value" #>> '{}', 1000) || '…') ELSE "value" END)
  FROM json_each("output") WHERE json_typeof("value") = 'string' OR length("value"::text) <= 3000
), '{}') WHERE length("output"::text) > 50000;
