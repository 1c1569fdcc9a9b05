import type { Db } from '#server/platform/db/db.ts';
import { sql } from 'drizzle-orm';
import { modelsForTask } from '#contract/catalog.ts';
import { type AnyModelId, TASK_IDS, type TaskId } from '#contract/ids.ts';
import type { UsualDuration } from '#contract/resources/activity.ts';
import { addedModels, addedModelVersions } from '#server/platform/db/schema/added-model-schema.ts';
import { generations } from '#server/platform/db/schema/schema.ts';
import type { Deps } from '#server/platform/deps.ts';

/** The newest generations of each task and model that count. */
const MAX_SAMPLES = 20;
/** One generation says little about the next. */
const MIN_SAMPLES = 2;
const CACHE_MS = 60_000;
const MAX_CACHED_ORGANIZATIONS = 1_000;

const TASK_MODEL_PAIRS = TASK_IDS.flatMap((task) =>
  modelsForTask(task).map((model) => sql`(${task}::text, ${model}::text)`),
);

/**
 * Reads the usual durations of an organization. The charges of each task and model have their own range of an index of
 * the ledger, whose newest entries lead to the generations, so that the cost does not depend on the length of the history.
 */
export async function readUsualDurations(db: Db, organizationId: string): Promise<UsualDuration[]> {
  const seconds = sql`extract(epoch from ${generations.completed_at} - ${generations.created_at})`;
  const runSeconds = sql`extract(epoch from ${generations.completed_at} - ${generations.started_at})`;
  const isPreview = sql<boolean>`coalesce(${generations.output_data} ->> 'engine', '') = 'preview'`;
  const addedPairs = sql`select v.task, v.model_id from ${addedModelVersions} v join ${addedModels} m
    on m.id = v.model_id and m.version = v.version and m.organization_id = ${organizationId}`;
  const newest = sql`(select recent.generation_id
    from (values ${sql.join(TASK_MODEL_PAIRS, sql`, `)} union all ${addedPairs}) as pair (task, model) cross join lateral (
      select e.generation_id from ledger_entries e
      where e.organization_id = ${organizationId} and e.task = pair.task and coalesce(e.model, '') = pair.model
        and e.type = 'SETTLE'
      order by e.seq desc limit ${MAX_SAMPLES}
    ) as recent) as newest`;
  const rows = await db
    .select({
      task: sql<TaskId>`${generations.task}`,
      model: sql<AnyModelId>`${generations.model}`,
      isPreview,
      median_seconds: sql<number>`percentile_cont(0.5) within group (order by ${seconds})`.mapWith(Number),
      medianRunSeconds: sql<number>`percentile_cont(0.5) within group (order by ${runSeconds})`.mapWith(Number),
    })
    .from(newest)
    .innerJoin(generations, sql`${generations.id} = newest.generation_id`)
    .where(sql`${generations.status} = 'succeeded' and ${generations.completed_at} is not null`)
    .groupBy(generations.task, generations.model, sql`3`)
    .having(sql`count(*) >= ${MIN_SAMPLES}`)
    .orderBy(generations.task, generations.model, sql`3`);
  return rows.map(({ task, model, isPreview: preview, median_seconds, medianRunSeconds }) => ({
    object: 'usual_duration',
    task,
    model,
    engine: preview ? 'preview' : 'upstream',
    seconds: roundToTenths(median_seconds),
    run_seconds: roundToTenths(medianRunSeconds),
  }));
}

const roundToTenths = (seconds: number): number => Math.round(seconds * 10) / 10;

/** Returns `readUsualDurations` with a cache of a minute for each organization. */
export function createUsualDurations(deps: Deps): (organizationId: string) => Promise<UsualDuration[]> {
  const cache = new Map<string, { expires_at: number; durations: Promise<UsualDuration[]> }>();
  return (organization_id) => {
    const now = deps.clock.now().getTime();
    const cached = cache.get(organization_id);
    if (cached && cached.expires_at > now) return cached.durations;
    if (cache.size >= MAX_CACHED_ORGANIZATIONS) cache.clear();
    const durations = readUsualDurations(deps.db, organization_id);
    cache.set(organization_id, { expires_at: now + CACHE_MS, durations });
    durations.catch(() => cache.delete(organization_id));
    return durations;
  };
}
