import { and, asc, count, eq, inArray, isNull, sql } from 'drizzle-orm';
import type { Activity, UsualDuration } from '#contract/resources/activity.ts';
import type { Caller } from '#server/platform/core/caller.ts';
import { generationListColumns } from '#server/platform/db/generation-list-columns.ts';
import { type GenerationLane, generations } from '#server/platform/db/schema/schema.ts';
import type { Deps } from '#server/platform/deps.ts';
import { madeByCaller } from '#server/accounts/people/made-by-caller.ts';
import { estimateQueue } from '#server/studio/generations/create/estimate-queue.ts';
import { presentGenerations } from './present-generation.ts';

const MAX_SHOWN = 100;
/** Places in the queue are counted up to here. */
const MAX_AHEAD = 1_000;
const LANES = ['generation.run', 'generation.upstream'] as const satisfies readonly GenerationLane[];

/** What runs and waits of the caller apart from workflow runs. Decision: Activity */
export async function readActiveGenerations(
  deps: Deps,
  caller: Caller,
  durations: readonly UsualDuration[],
): Promise<Pick<Activity, 'running' | 'queued' | 'seconds_left' | 'generations'>> {
  const isOwn = and(
    eq(generations.organization_id, caller.organization_id),
    inArray(generations.status, ['queued', 'running']),
    madeByCaller(generations.created_by, caller),
    isNull(generations.workflow_run_id),
  );
  const counts = await deps.db
    .select({ status: generations.status, count: count() })
    .from(generations)
    .where(isOwn)
    .groupBy(generations.status);
  const counted = (status: 'queued' | 'running') => counts.find((row) => row.status === status)?.count ?? 0;
  const [running, queued] = [counted('running'), counted('queued')];
  if (running + queued === 0) return { running, queued, seconds_left: null, generations: [] };

  const rows = await deps.db
    .select({ generation: generationListColumns })
    .from(generations)
    .where(isOwn)
    .orderBy(sql`${generations.status} = 'queued'`, asc(generations.turn), asc(generations.id))
    .limit(MAX_SHOWN);
  const lanes = new Set(rows.map(({ generation }) => generation.lane));
  const places = new Map<string, QueuePlace>();
  for (const lane of LANES)
    if (lanes.has(lane)) for (const [id, place] of await readLane(deps, lane, durations)) places.set(id, place);
  const unknown = { queue_position: null, seconds_left: null };
  const shown = (await presentGenerations(deps, rows)).map((generation) => ({
    generation,
    ...(places.get(generation.id) ?? unknown),
  }));
  const all = await deps.db.select({ id: generations.id }).from(generations).where(isOwn).limit(MAX_AHEAD);
  const times = all.flatMap(({ id }) => places.get(id)?.seconds_left ?? []);
  const isKnown = times.length > 0 && times.length === running + queued;
  return { running, queued, seconds_left: isKnown ? Math.max(...times) : null, generations: shown };
}

type QueuePlace = Pick<Activity['generations'][number], 'queue_position' | 'seconds_left'>;

/** Reads the places of all work of a lane, whoever it belongs to, since it starts in one order. */
async function readLane(
  { db, clock, config }: Deps,
  lane: GenerationLane,
  durations: readonly UsualDuration[],
): Promise<Map<string, QueuePlace>> {
  const engine = lane === 'generation.run' ? 'preview' : 'upstream';
  const { task, model, turn, status, started_at, progress } = generations;
  const usualSeconds = (row: { task: string; model: string | null }) =>
    durations.find((usual) => usual.engine === engine && usual.task === row.task && usual.model === row.model)
      ?.run_seconds ?? null;
  const queued = await db
    .select({ id: generations.id, task, model })
    .from(generations)
    .where(and(eq(status, 'queued'), eq(generations.lane, lane)))
    .orderBy(asc(turn), asc(generations.id))
    .limit(MAX_AHEAD);
  const running = await db
    .select({ id: generations.id, task, model, started_at, progress })
    .from(generations)
    .where(and(eq(status, 'running'), eq(generations.lane, lane)))
    .limit(MAX_AHEAD);
  const nowMs = clock.now().getTime();
  const estimates = estimateQueue(
    engine === 'preview' ? config.workerConcurrency : config.upstreamConcurrency,
    running.map((row) => ({
      ...row,
      run_seconds: usualSeconds(row),
      elapsedSeconds: Math.max(0, (nowMs - (row.started_at?.getTime() ?? nowMs)) / 1000),
    })),
    queued.map((row) => ({ ...row, run_seconds: usualSeconds(row) })),
  );
  const secondsLeft = (id: string) => {
    const seconds = estimates.get(id) ?? null;
    return seconds === null ? null : Math.ceil(seconds);
  };
  const place = (id: string, queuePosition: number | null): [string, QueuePlace] => [
    id,
    { queue_position: queuePosition, seconds_left: secondsLeft(id) },
  ];
  return new Map([...running.map((row) => place(row.id, null)), ...queued.map((row, at) => place(row.id, at + 1))]);
}
