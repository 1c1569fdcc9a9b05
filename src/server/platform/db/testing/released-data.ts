const AT = `'2026-01-01T00:00:00Z'`;
const LATER = `'2026-01-02T00:00:00Z'`;

interface Rows {
  /** Number of the first migration that has these tables and columns. */
  since: number;
  /** Number of the first migration without them. */
  until?: number;
  statements: string;
}

const tagged = (id: string, at: string) =>
  `insert into generations (id, organization_id, task, status, input, amount_micro_usd, line_items, billing_status, chain_id, tags, created_by, created_at, updated_at)
    values ('${id}', 'org_a', 'image.create', 'failed', '{"prompt":"x"}', 0, '[]', 'released', '${id}', '{"project":"Alpha","client":"B, C"}', 'key_a', ${at}, ${at});`;

/** Rows as the service wrote them, in tables that later migrations changed or filled. */
const RELEASED_ROWS: readonly Rows[] = [
  {
    since: 3,
    until: 19,
    statements: `
      insert into budgets (organization_id, id, limit_micro_usd, warn_at_percent, contact, month, spent_micro_usd, reserved_micro_usd, updated_at)
        values ('org_a', 'organization', 50000000, 80, null, '2026-01-01', 3000000, 40000, ${AT}),
               ('org_a', 'key_a', 20000000, 90, 'Anna', '2026-01-01', 1000000, 0, ${AT});`,
  },
  {
    since: 19,
    statements: `
      insert into budgets (organization_id, id, scope, interval, limit_micro_usd, warn_at_percent, contact, interval_start, spent_micro_usd, reserved_micro_usd, updated_at)
        values ('org_a', 'organization', 'organization', 'month', 50000000, 80, null, '2026-01-01', 3000000, 40000, ${AT}),
               ('org_a', 'key_a', 'key:key_a', 'month', 20000000, 90, 'Anna', '2026-01-01', 1000000, 0, ${AT});
      insert into requests (id, organization_id, kind, status, note, created_by, created_at, amount_micro_usd, budget_id)
        values ('req_a', 'org_a', 'budget', 'pending', 'More', 'key_a', ${AT}, 1000000, 'organization');`,
  },
  {
    since: 4,
    statements: `
      insert into webhook_endpoints (id, organization_id, url, events, secret_sealed, created_at)
        values ('whe_a', 'org_a', 'https://a.example', '["generation.succeeded"]', 'sealed', ${AT});
      insert into webhook_events (id, organization_id, type, generation_id, test, object, created_at)
        values ('evt_a', 'org_a', 'generation.succeeded', 'gen_a', false, '{"id":"gen_a"}', ${AT});
      insert into webhook_deliveries (id, endpoint_id, event_id, status, created_at)
        values ('whd_a', 'whe_a', 'evt_a', 'pending', ${AT});`,
  },
  {
    since: 11,
    until: 18,
    statements: `insert into sessions (secret_sha256, key_id, created_at, expires_at) values ('abc', 'key_a', ${AT}, ${LATER});`,
  },
  {
    since: 18,
    statements: `
      insert into sessions (secret_sha256, id, key_id, method, rotated_at, last_used_at, created_at, expires_at)
        values ('abc', 'ses_a', 'key_a', 'link', ${AT}, ${AT}, ${AT}, ${LATER});
      insert into api_keys (id, organization_id, name, kind, secret_sha256, is_person, created_at)
        values ('key_p', 'org_a', 'Anna', 'member', 'def', true, ${AT});
      insert into people (id, organization_id, name, email, role, key_id, created_at)
        values ('per_a', 'org_a', 'Anna', 'anna@a.example', 'creator', 'key_p', ${AT});
      insert into tags (organization_id, name, label, required, values, created_at, updated_at, updated_by)
        values ('org_a', 'project', 'Project', true, '{Alpha}', ${AT}, ${AT}, 'key_a');
      insert into audit_events (id, organization_id, action, actor_type, actor_name, target_type, created_at)
        values ('aud_a', 'org_a', 'key.created', 'shell', 'Command line', 'key', ${AT});
      ${tagged('gen_d', AT)}
      ${tagged('gen_e', LATER)}`,
  },
  {
    since: 15,
    statements: `
      insert into provider_connections (id, provider, models, state, created_by, created_at, updated_at)
        values ('prv_a', 'fal', '[{"model":"imgmodel-a-2"}]', 'active', 'key_a', ${AT}, ${AT});
      insert into provider_credentials (connection_id, version, sealed_key, created_at) values ('prv_a', 1, 'sealed', ${AT});`,
  },
  {
    since: 20,
    statements: `
      insert into uploads (id, organization_id, created_by, type, mime_type, storage_key, size_bytes, sha256, created_at, trashed_at)
        values ('upl_trashed', 'org_a', 'key_a', 'image', 'image/png', 'uploads/b.png', 1, 'y', ${AT}, ${LATER});`,
  },
  {
    since: 21,
    statements: `
      insert into generation_tags (organization_id, name, value, generation_id)
        select 'org_a', tag.key, tag.value, id from generations, jsonb_each_text(tags) as tag;
      insert into tag_values (organization_id, name, created_by, value, last_used_at)
        values ('org_a', 'project', 'key_a', 'Alpha', ${LATER}), ('org_a', 'client', 'key_a', 'B, C', ${LATER});`,
  },
  { since: 22, statements: `update provider_connections set preferred_at = ${LATER};` },
  {
    since: 23,
    statements: `insert into ledger_words (organization_id, seq, words) values ('org_a', 1, 'x');`,
  },
  {
    since: 24,
    statements: `
      insert into alerts (id, organization_id, kind, subject_id, subject_name, period, message, raised_at)
        values ('alt_a', 'org_a', 'budget_warning', 'organization', 'All keys', '2026-01-01', 'x', ${AT});
      insert into ledger_verifications (organization_id, date, ok, head_seq, head_hash, result, completed_at)
        values ('org_a', '2026-01-01', true, 2, 'x', '{}', ${AT});`,
  },
];

/** Statements that add rows to a database in the state after migration `number`. */
export const releasedRows = (number: number): string =>
  RELEASED_ROWS.filter(({ since, until = Infinity }) => since <= number && number < until)
    .map(({ statements }) => statements)
    .join('\n');
