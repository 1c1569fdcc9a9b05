import type { AddedModelId } from '#contract/ids.ts';
import type { Queue as QueueDefinition } from 'pg-boss';

export interface JobData {
  'generation.run': { generation_id: string };
  'generation.upstream': { generation_id: string };
  /** `awaitsEnd`: the job was in progress after the cancel, so only its end is awaited. */
  'upstream.cancel': { generation_id: string; awaitsEnd?: boolean };
  /** `cause_id`: the event, or the order with an address of its own. */
  'webhook.deliver': { cause_id: string };
  'media.derive': { storage_key: string };
  'workflow.advance': { run_id: string };
  'batch.advance': { batch_id: string };
  /** `sealed`: the message, encrypted for `id`. */
  /** Looks for causes of alerts in an organization at once, instead of within a minute. */
  'alerts.check': { organization_id: string };
  'ledger.verify': { organization_id: string };
  /** Compares an added model with what its provider has now. */
  'models.check': { organization_id: string; model_id: AddedModelId };
  /** Reads the open bills of a provider with its billing key. */
  'bills.read': { organization_id: string; provider_id: string };
  'mail.send': { id: string; sealed: string };
  /** `sealed`: the address that a sign-in link was asked for, encrypted for `id`. */
  'mail.sign_in': { id: string; sealed: string };
}
export type JobName = keyof JobData;

const HOUR_SECONDS = 3600;

const GENERATION_JOB = {
  policy: 'short',
  notify: true,
  heartbeatSeconds: 10,
  expireInSeconds: 2 * HOUR_SECONDS,
  retryLimit: 10,
  retryDelay: 1,
  retryBackoff: true,
  retryDelayMax: 60,
  deleteAfterSeconds: HOUR_SECONDS,
} as const;

/** Gives up after about an hour. Finished jobs are deleted soon, since messages contain links. */
const MAIL_JOB = {
  policy: 'standard',
  notify: true,
  expireInSeconds: 120,
  retryLimit: 12,
  retryDelay: 5,
  retryBackoff: true,
  retryDelayMax: 600,
  deleteAfterSeconds: 60,
} as const;

export const JOB_DEFINITIONS = {
  'generation.run': GENERATION_JOB,
  'generation.upstream': GENERATION_JOB,
  'upstream.cancel': {
    policy: 'short',
    notify: true,
    heartbeatSeconds: 10,
    expireInSeconds: 600,
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
    retryLimit: 0,
    deleteAfterSeconds: 60,
  },
  'webhook.deliver': {
    policy: 'short',
    notify: true,
    expireInSeconds: 60,
    retryLimit: 0,
    deleteAfterSeconds: 60,
  },
  'workflow.advance': {
    policy: 'standard',
    notify: true,
    expireInSeconds: 900,
    retryLimit: 10,
    retryDelay: 1,
    retryBackoff: true,
    retryDelayMax: 60,
    deleteAfterSeconds: HOUR_SECONDS,
  },
  'batch.advance': {
    policy: 'short',
    notify: true,
    heartbeatSeconds: 10,
    expireInSeconds: 900,
    retryLimit: 10,
    retryDelay: 1,
    retryBackoff: true,
    retryDelayMax: 60,
    deleteAfterSeconds: HOUR_SECONDS,
  },
  'alerts.check': {
    policy: 'short',
    notify: true,
    expireInSeconds: 60,
    retryLimit: 0,
    deleteAfterSeconds: 60,
  },
  'ledger.verify': {
    policy: 'short',
    notify: true,
    heartbeatSeconds: 10,
    expireInSeconds: 6 * HOUR_SECONDS,
    retryLimit: 3,
    retryDelay: 60,
    retryBackoff: true,
    retryDelayMax: 600,
    deleteAfterSeconds: 60,
  },
  'models.check': {
    policy: 'short',
    notify: true,
    expireInSeconds: 300,
    retryLimit: 0,
    deleteAfterSeconds: 60,
  },
  'bills.read': {
    policy: 'short',
    notify: true,
    heartbeatSeconds: 10,
    expireInSeconds: 2 * HOUR_SECONDS,
    retryLimit: 0,
    deleteAfterSeconds: 60,
  },
  'mail.send': MAIL_JOB,
  'mail.sign_in': MAIL_JOB,
} as const satisfies Record<JobName, Omit<QueueDefinition, 'name'>>;
