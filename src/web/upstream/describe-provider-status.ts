import type { ProviderStatus } from '#contract/resources/generation.ts';

/** What a provider says about a running job, a line each: “3 jobs ahead at the provider”. */
export function describeProviderStatus(status: ProviderStatus | undefined): string[] {
  if (!status) return [];
  const { queue_position, stage, problem } = status;
  if (problem) return [`${problem} Trying again.`];
  return [...(queue_position === null ? [] : [formatQueuePosition(queue_position)]), ...(stage ? [stage] : [])];
}

function formatQueuePosition(jobsAhead: number): string {
  if (jobsAhead === 0) return 'Next in the queue at the provider';
  return jobsAhead === 1 ? '1 job ahead at the provider' : `${jobsAhead} jobs ahead at the provider`;
}
