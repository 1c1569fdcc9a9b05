import type { ProviderStatus } from '#contract/resources/generation.ts';

/** What a provider says about a running job, a line each: “3 jobs ahead at the provider”. */
export function describeProviderStatus(status: ProviderStatus | undefined): string[] {
  if (!status) return [];
  const { queue_position, stage } = status;
  return [...(queue_position === null ? [] : [formatQueuePosition(queue_position)]), ...(stage ? [stage] : [])];
}

function formatQueuePosition(jobs_ahead: number): string {
  if (jobs_ahead === 0) return 'Next in the queue at the provider';
  return jobs_ahead === 1 ? '1 job ahead at the provider' : `${jobs_ahead} jobs ahead at the provider`;
}
