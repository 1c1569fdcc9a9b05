import type { Queue as QueueDefinition } from 'pg-boss';

/** What each job carries. */
export interface JobData {
  'generation.run': { generation_id: string };
  /** Of a generation that another service does. */
  'generation.upstream': { generation_id: string };
  /** Stops the job of a generation that is over. */
  'upstream.cancel': { generation_id: string };
  /** Says that there is something to deliver; what, stands in our tables. */
  'webhook.deliver': { event_id: string };
  /** Says that there are small copies to make; of what, stands in our tables. */
  'media.derive': { storage_key: string };
  /** Says that something of a run may go on; what, stands in our tables. */
  'workflow.advance': { run_id: string };
}
export type JobName = keyof JobData;

const HOUR_SECONDS = 3600;

const GENERATION_JOB = {
  policy: 'short',
  notify: true,
  heartbeatSeconds: 10,
  // The deadline of a run is shorter and ends it with a sentence; this is for a handler that hangs.
  expireInSeconds: 2 * HOUR_SECONDS,
  retryLimit: 10,
  retryDelay: 1,
  retryBackoff: true,
  retryDelayMax: 60,
  deleteAfterSeconds: HOUR_SECONDS,
} as const;

/** One queue per job. Policy `short`: of the jobs with one key, at most one waits. */
export const JOB_DEFINITIONS = {
  'generation.run': GENERATION_JOB,
  'generation.upstream': GENERATION_JOB,
  'upstream.cancel': {
    policy: 'short',
    notify: true,
    heartbeatSeconds: 10,
    expireInSeconds: 600,
    // Asked for about six hours, for an upstream that is down.
    retryLimit: 48,
    retryDelay: 2,
    retryBackoff: true,
    retryDelayMax: 600,
    deleteAfterSeconds: HOUR_SECONDS,
  },
  'media.derive': {
    policy: 'short',
    notify: true,
    expireInSeconds: 60,
    // One that is lost is made up for by looking again.
    retryLimit: 0,
    deleteAfterSeconds: 60,
  },
  'webhook.deliver': {
    policy: 'short',
    notify: true,
    expireInSeconds: 60,
    // One that is lost is made up for by looking at the schedule once a second.
    retryLimit: 0,
    deleteAfterSeconds: 60,
  },
  'workflow.advance': {
    // Each wake-up counts: one left out for another that waits would be missed where that is taken before the commit.
    policy: 'standard',
    notify: true,
    expireInSeconds: 900,
    // One that is lost for good is made up for by looking at runs that stand still.
    retryLimit: 10,
    retryDelay: 1,
    retryBackoff: true,
    retryDelayMax: 60,
    deleteAfterSeconds: HOUR_SECONDS,
  },
} as const satisfies Record<JobName, Omit<QueueDefinition, 'name'>>;
