import type { Logger } from 'pino';
import { PgBoss, fromPglite } from 'pg-boss';
import { currentOrigin, runJob, type WorkOrigin } from '#server/platform/core/process/work-context.ts';
import type { JobQueueDatabase, Tx } from '#server/platform/db/db.ts';
import { executePrepared } from '#server/platform/db/execute-prepared.ts';
import { isDatabaseUnreachable } from '#server/platform/db/postgres/is-unreachable.ts';
import type { PostgresEndpoint } from '#server/platform/db/postgres/postgres-endpoint.ts';
import type { PostgresJobs } from './postgres-jobs.ts';
import { JOB_DEFINITIONS, type JobData, type JobName } from './jobs.ts';

interface JobOptions {
  /** At most one job with this key waits at a time; further ones are dropped. */
  key?: string;
  startAfter?: Date;
  /** Priority, 0 by default: lower values first, equal ones in order of creation. */
  turn?: number;
  /** Owner of the job; see `work`. */
  group?: string;
}

/** Wakes workers. The state of the work is in the service's own tables. */
export interface JobQueue {
  /** Enqueues a job in the caller's transaction. */
  send<N extends JobName>(tx: Tx, job: N, data: JobData[N], options?: JobOptions): Promise<void>;
  /**
   * Handles jobs, at most `concurrency` at once in this process. A handler that throws is called again.
   * @param options.spare adds a slot that is used while all others are busy, for groups without an active job, so that
   *   long jobs of one group do not block another
   * @returns stops claiming, and resolves when the active handlers have settled
   */
  work<N extends JobName>(
    job: N,
    concurrency: number,
    handle: (data: JobData[N]) => Promise<void>,
    options?: { spare?: boolean },
  ): Promise<() => Promise<void>>;
  /** @throws if the queue can't be reached */
  check(): Promise<void>;
  stop(timeoutMs: number): Promise<void>;
}

const JOB_NAMES = Object.keys(JOB_DEFINITIONS) as JobName[];
const MAINTENANCE_SECONDS = 60;
const UNKNOWN_JOB = '00000000-0000-0000-0000-000000000000';

/**
 * Opens pg-boss in the service's own database.
 * @param options.supervise whether this process retries jobs of lost workers; false for processes that only send
 */
export async function openJobQueue(
  database: JobQueueDatabase,
  options: { log: Logger; supervise: boolean },
): Promise<JobQueue> {
  const { log } = options;
  const postgres = 'pglite' in database ? null : await openPostgres(database.postgres, log);
  const boss = new PgBoss({
    ...('pglite' in database ? { backend: 'pglite', db: fromPglite(database.pglite) } : {}),
    ...(postgres ? { db: postgres.db } : {}),
    useListenNotify: 'pglite' in database || database.postgres.sessionUrl !== null,
    supervise: options.supervise,
    schedule: false,
    superviseIntervalSeconds: 5,
    monitorIntervalSeconds: 5,
    // By default pg-boss deletes finished jobs once a day, and counts all of them at each interval above.
    maintenanceIntervalSeconds: MAINTENANCE_SECONDS,
  });
  boss.on('error', createErrorLog(log));
  boss.on('warning', (warning) => log.debug({ warning }, 'job queue'));
  await boss.start();
  for (const [name, definition] of Object.entries(JOB_DEFINITIONS)) {
    await boss.createQueue(name, definition);
    // Sending to a queue that is not cached yet would use the root connection inside the caller's transaction.
    await boss.findJobs(name, { id: UNKNOWN_JOB });
  }
  postgres?.limitStatements();
  return {
    async send(tx, job, data, { key, startAfter, turn, group } = {}) {
      const origin = currentOrigin();
      await boss.send(job, origin ? { ...data, origin } : data, {
        ...(key === undefined ? {} : { singletonKey: key }),
        ...(startAfter === undefined ? {} : { startAfter }),
        ...(turn === undefined ? {} : { priority: -turn }),
        ...(group === undefined ? {} : { group: { id: group } }),
        db: { executeSql: (text, values) => executePrepared(tx, text, values) },
      });
    },
    work: (job, concurrency, handle, options = {}) => startWorkers(boss, job, concurrency, handle, { ...options, log }),
    async check() {
      await boss.findJobs(JOB_NAMES[0] ?? '', { id: UNKNOWN_JOB });
    },
    async stop(timeoutMs) {
      await boss.stop({ graceful: true, timeout: timeoutMs });
      await postgres?.close();
    },
  };
}

const OUTAGE_LOG_INTERVAL_MS = 30_000;

/** Every worker reports a lost database once a second. */
function createErrorLog(log: Logger): (error: Error) => void {
  let nextMs = 0;
  return (error) => {
    if (isDatabaseUnreachable(error)) {
      if (Date.now() < nextMs) return;
      nextMs = Date.now() + OUTAGE_LOG_INTERVAL_MS;
    }
    log.error({ err: error }, 'job queue');
  };
}

/** Loads pg only where it is used. */
async function openPostgres(endpoint: PostgresEndpoint, log: Logger): Promise<PostgresJobs> {
  const { openPostgresJobs } = await import('./postgres-jobs.ts');
  return openPostgresJobs({ endpoint, log });
}

type JobHandler<N extends JobName> = (data: JobData[N]) => Promise<void>;

async function startWorkers<N extends JobName>(
  boss: PgBoss,
  job: N,
  concurrency: number,
  handle: JobHandler<N>,
  { spare, log }: { spare?: boolean; log: Logger },
): Promise<() => Promise<void>> {
  const extra = spare ? createSpareSlot(boss, job, concurrency, handle, log) : null;
  const ids: string[] = [];
  for (let slot = 0; slot < concurrency; slot += 1) ids.push(await startSlot(boss, job, extra?.counted ?? handle));
  return async () => {
    await Promise.all([extra?.stop(), ...ids.map((id) => boss.offWork(job, { id, wait: true }))]);
  };
}

/** @param options claims only jobs of groups without an active job in any process. @returns the id of its worker */
async function startSlot<N extends JobName>(
  boss: PgBoss,
  job: N,
  handle: JobHandler<N>,
  options: { groupConcurrency?: 1 } = {},
): Promise<string> {
  const worker: { id?: string } = {};
  worker.id = await boss.work<JobData[N] & { origin?: WorkOrigin }>(
    job,
    { pollingIntervalSeconds: 1, notifyPollingIntervalSeconds: 1, heartbeatRefreshSeconds: 3, ...options },
    async ([claimed]) => {
      try {
        if (!claimed) return;
        const { origin } = claimed.data;
        await runJob(job, origin, () => handle(claimed.data));
      } finally {
        if (worker.id !== undefined) boss.notifyWorker(worker.id);
      }
    },
  );
  return worker.id;
}

function createSpareSlot<N extends JobName>(
  boss: PgBoss,
  job: N,
  concurrency: number,
  handle: JobHandler<N>,
  log: Logger,
): { counted: JobHandler<N>; stop: () => Promise<void> } {
  let busy = 0;
  let isHandling = false;
  let isStopped = false;
  let slot: Promise<string> | undefined;
  const ending = new Set<Promise<void>>();

  async function handleSpare(data: JobData[N]): Promise<void> {
    isHandling = true;
    try {
      await handle(data);
    } finally {
      isHandling = false;
      adjust();
    }
  }
  function adjust(): void {
    const isWanted = busy >= concurrency && !isStopped;
    if (isWanted && !slot && !isHandling) slot = startSlot(boss, job, handleSpare, { groupConcurrency: 1 });
    if (isWanted || !slot) return;
    const end = slot
      .then((id) => boss.offWork(job, { id, wait: true }))
      .catch((error: unknown) => log.warn({ err: error }, 'spare slot failed'))
      .finally(() => ending.delete(end));
    ending.add(end);
    slot = undefined;
  }
  return {
    async counted(data) {
      busy += 1;
      adjust();
      try {
        await handle(data);
      } finally {
        busy -= 1;
        adjust();
      }
    },
    async stop() {
      isStopped = true;
      adjust();
      await Promise.all(ending);
    },
  };
}
