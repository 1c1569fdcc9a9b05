-- The ledger finds work by its metadata too; of earlier work as the database tells words apart.
INSERT INTO "generation_words" ("generation_id", "words")
SELECT "id", strip(to_tsvector('simple', regexp_replace(lower("text"), '[^[:alnum:]]+', ' ', 'g')))
FROM (
	SELECT "id", (SELECT left(string_agg("value", ' '), 20000) FROM jsonb_each_text("metadata")) AS "text"
	FROM "generations" WHERE jsonb_typeof("metadata") = 'object' AND "metadata" <> '{}'
) g WHERE "text" IS NOT NULL
ON CONFLICT ("generation_id") DO UPDATE SET "words" = "generation_words"."words" || excluded."words";
