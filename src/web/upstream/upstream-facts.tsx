import type { UpstreamJob, UpstreamJobState } from '#contract/resources/review.ts';
import { isStoppingJob } from '#web/api/queries/review.ts';
import { CopyableCode } from '#web/ui/display/code-block.tsx';
import { ExactTime } from '#web/ui/display/relative-time.tsx';
import { DescriptionList } from '#web/ui/display/section.tsx';
import { providerName } from './provider-name.ts';

const STATE_LABELS = {
  submitting: 'Sent, response unknown',
  waiting: 'Not accepted yet, retrying',
  accepted: 'Running',
  ended: 'Complete',
} as const satisfies Record<UpstreamJobState, string>;

export function UpstreamFacts({ job }: { job: UpstreamJob }) {
  const { state, request_id, submitted_at, last_problem } = job;
  return (
    <DescriptionList
      rows={[
        { name: 'Provider', value: providerName(job) },
        ...(job.provider?.model ? [{ name: 'Provider model', value: job.provider.model }] : []),
        {
          name: 'Provider request ID',
          value: request_id === null ? 'Unknown' : <CopyableCode text={request_id} label="Copy ID" />,
        },
        {
          name: 'State',
          value: isStoppingJob(job) ? 'Canceled here, may still run at the provider' : STATE_LABELS[state],
        },
        { name: 'Sent', value: <ExactTime at={submitted_at} /> },
        ...(last_problem ? [{ name: 'Last problem', value: last_problem }] : []),
      ]}
    />
  );
}
