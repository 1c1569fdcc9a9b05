import { sql } from 'drizzle-orm';
import type { Deps } from '#server/platform/deps.ts';

interface Named {
  organization_id: string;
  person_id: string;
  key_id: string;
  generationId: string;
}

/** Tables whose rows need another program (a client, a store, a text model) or end within minutes, with one row each. */
const ROWS: Readonly<Record<string, string>> = {
  share_answers: `(id, organization_id, share_id, media_id, client_id, client_name, verdict, comment, created_at)
    select 'ans_' || substr(id, 5), organization_id, id, (select id from assets limit 1), 'client', 'Anna', 'changes_requested', 'Brighter', now()
    from shares limit 1`,
  text_model_calls: `(id, organization_id, connection_id, created_by, task, model, text_model, status, input_tokens, output_tokens, cost_micro_usd, created_at, completed_at)
    select 'txt_00000000000000000000000001', $organization, id, $key, 'image.create', 'imgmodel-a-2', 'gpt', 'succeeded', 10, 20, 5, now(), now()
    from provider_connections limit 1`,
  resumable_uploads: `(id, organization_id, created_by, metadata, length_bytes, created_at, expires_at)
    values ('rsm_00000000000000000000000001', $organization, $key, '{"filename":"a.png"}', 10, now(), now() + interval '1 day')`,
  resumable_parts: `(resumable_id, offset_bytes, size_bytes, storage_key) values ('rsm_00000000000000000000000001', 0, 5, 'parts/1')`,
  order_callbacks: `(generation_id, organization_id, format, url, events, created_at)
    values ($generation, $organization, 'fal', 'https://192.0.2.1/result', '["completed"]', now())`,
  callback_deliveries: `(generation_id, event, organization_id, key_id, receiver, next_attempt_at)
    values ($generation, 'completed', $organization, $key, '192.0.2.1', now() + interval '1 day')`,
  rate_limits: `(key, points, expires_at) values ('key:' || $key, 1, now() + interval '1 minute')`,
};

/** Inserts rows that no request of this process makes. */
export async function insertRemainingRows({ db }: Pick<Deps, 'db'>, named: Named): Promise<void> {
  const literals = { $organization: named.organization_id, $key: named.key_id, $generation: named.generationId };
  for (const [table, rows] of Object.entries(ROWS)) {
    const text = Object.entries(literals).reduce((filled, [name, id]) => filled.replaceAll(name, `'${id}'`), rows);
    await db.execute(sql.raw(`insert into ${table} ${text} on conflict do nothing`));
  }
}
