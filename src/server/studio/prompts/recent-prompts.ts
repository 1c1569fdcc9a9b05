import type { Db } from '#server/platform/db/db.ts';
import { and, desc, eq, isNull, sql } from 'drizzle-orm';
import type { QueryOf } from '#contract/api/endpoints.ts';
import type { List } from '#contract/primitives.ts';
import type { RecentPrompt } from '#contract/resources/preset.ts';
import type { Caller } from '#server/platform/core/caller.ts';
import { apiKeys } from '#server/platform/db/schema/organization-schema.ts';
import { generations } from '#server/platform/db/schema/schema.ts';
import { selectPrompt } from '#server/platform/db/select-prompt.ts';

/** Bounds the work, however often a prompt was repeated. */
const MAX_READ = 200;
/** The newest generations of each key, whatever their task. */
const MAX_WALKED = 1_000;
const MAX_PROMPT_CHARACTERS = 32_000;
/** Of inputs that lists shorten, which may be as large as a body: read one by one. */
const MAX_LONG_INPUTS = 50;
const PROMPT = selectPrompt(MAX_PROMPT_CHARACTERS + 1);

/**
 * Lists the caller's latest prompts and queries, each once. Those of workflow runs come from a template and are left out,
 * as are prompts that are too long to list whole. Decision: Presets
 */
export async function listRecentPrompts(
  db: Db,
  { organization_id, key_id, person }: Caller,
  { limit, task }: QueryOf<'list_recent_prompts'>,
): Promise<List<RecentPrompt>> {
  const isOwner = person ? eq(apiKeys.person_id, person.id) : eq(apiKeys.id, key_id);
  const isRecent = sql`${generations.id} = any(array(select recent.id from ${apiKeys} cross join lateral (
      select g.id from generations g where g.created_by = ${apiKeys.id} order by g.created_at desc, g.id desc limit ${MAX_WALKED}
    ) as recent where ${isOwner}))`;
  const rows = await db
    .select({
      id: generations.id,
      isLong: sql<boolean>`${generations.input_excerpt} is not null`,
      prompt: sql<string | null>`case when ${generations.input_excerpt} is null then ${PROMPT} end`,
      task: generations.task,
      created_at: generations.created_at,
    })
    .from(generations)
    .where(
      and(
        eq(generations.organization_id, organization_id),
        isRecent,
        isNull(generations.workflow_run_id),
        task && eq(generations.task, task),
      ),
    )
    .orderBy(desc(generations.created_at), desc(generations.id))
    .limit(MAX_READ);
  const recent = new Map<string, RecentPrompt>();
  let longInputs = 0;
  for (const { id, isLong, prompt: short, task: ofTask, created_at } of rows) {
    if (isLong && (longInputs += 1) > MAX_LONG_INPUTS) continue;
    const prompt = isLong ? await readPrompt(db, id) : short;
    const key = prompt?.trim() ?? '';
    if (prompt === null || key === '' || recent.has(key) || prompt.length > MAX_PROMPT_CHARACTERS) continue;
    recent.set(key, { object: 'recent_prompt', prompt, task: ofTask, created_at: created_at.toISOString() });
    if (recent.size >= limit) break;
  }
  return { object: 'list', data: [...recent.values()], has_more: false, next_cursor: null };
}

async function readPrompt(db: Db, id: string): Promise<string | null> {
  const [row] = await db.select({ prompt: PROMPT }).from(generations).where(eq(generations.id, id));
  return row?.prompt ?? null;
}
