import type { Queue as QueueDefinition } from 'pg-boss';

export interface JobData {
  'generation.run': { generation_id: string };
  /** A generation that runs at a provider. */
  'generation.upstream': { generation_id: string };
  /** Cancels the provider job of a final generation. */
  'upstream.cancel': { generation_id: string };
  /** Wakes the deliverer; pending deliveries are in the service's tables. */
  'webhook.deliver': { event_id: string };
  /** Wakes the derivative worker; pending derivatives are in the service's tables. */
  'media.derive': { storage_key: string };
  /** Wakes the advancer of a run; the run's state is in the service's tables. */
  'workflow.advance': { run_id: string };
}
export type JobName = keyof JobData;

const HOUR_SECONDS = 3600;

const GENERATION_JOB = {
  policy: 'short',
  notify: true,
  heartbeatSeconds: 10,
  // A run has a shorter deadline with a proper error; this is for a handler that hangs.
  expireInSeconds: 2 * HOUR_SECONDS,
  retryLimit: 10,
  retryDelay: 1,
  retryBackoff: true,
  retryDelayMax: 60,
  deleteAfterSeconds: HOUR_SECONDS,
} as const;

/** One queue per job. Policy `short`: at most one job per key waits. */
export const JOB_DEFINITIONS = {
  'generation.run': GENERATION_JOB,
  'generation.upstream': GENERATION_JOB,
  'upstream.cancel': {
    policy: 'short',
    notify: true,
    heartbeatSeconds: 10,
    expireInSeconds: 600,
    // Retries for about six hours, for a provider that is down.
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
    // A lost job is found by the periodic search.
    retryLimit: 0,
    deleteAfterSeconds: 60,
  },
  'webhook.deliver': {
    policy: 'short',
    notify: true,
    expireInSeconds: 60,
    // A lost job is found by the search of the schedule once a second.
    retryLimit: 0,
    deleteAfterSeconds: 60,
  },
  'workflow.advance': {
    // `short` would drop a wake-up while another waits, and miss it if that one is claimed before the commit.
    policy: 'standard',
    notify: true,
    expireInSeconds: 900,
    // A job that is lost for good is found by the search for stalled runs.
    retryLimit: 10,
    retryDelay: 1,
    retryBackoff: true,
    retryDelayMax: 60,
    deleteAfterSeconds: HOUR_SECONDS,
  },
} as const satisfies Record<JobName, Omit<QueueDefinition, 'name'>>;
