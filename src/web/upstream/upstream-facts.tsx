import type { UpstreamJob, UpstreamJobState } from '#contract/resources/review.ts';
import { isStoppingJob } from '#web/api/queries/review.ts';
import { CopyButton } from '#web/ui/copy-button.tsx';
import { ExactTime } from '#web/ui/relative-time.tsx';
import { DescriptionList } from '#web/ui/section.tsx';
import { providerName } from './provider-name.ts';

const STATE_LABELS = {
  submitting: 'Sent, response unknown',
  waiting: 'Not accepted yet, retrying',
  accepted: 'Running',
  ended: 'Complete',
} as const satisfies Record<UpstreamJobState, string>;

export function UpstreamFacts({ job }: { job: UpstreamJob }) {
  const { state, handle, submitted_at, last_problem } = job;
  const ids = readJobIds(handle);
  return (
    <DescriptionList
      rows={[
        { name: 'Provider', value: providerName(job) },
        ...(job.provider?.model ? [{ name: 'Provider model', value: job.provider.model }] : []),
        {
          name: ids.length > 1 ? 'Provider job IDs' : 'Provider job ID',
          value: ids.length > 0 ? <JobIds ids={ids} /> : 'Unknown',
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

function JobIds({ ids }: { ids: readonly string[] }) {
  return ids.map((id) => (
    <span key={id} className="-my-1 flex items-center gap-1">
      <code className="min-w-0 font-mono text-xs wrap-anywhere select-all">{id}</code>
      <CopyButton text={id} label="Copy ID" />
    </span>
  ));
}

/** Returns the ids in an engine's handle, or all of its plain values where none is called an id. */
function readJobIds(handle: UpstreamJob['handle']): string[] {
  const plain = Object.entries(handle ?? {}).filter(([, value]) => ['string', 'number'].includes(typeof value));
  const named = plain.filter(([name]) => /(^|_)id$/.test(name));
  return (named.length > 0 ? named : plain).map(([, value]) => String(value));
}
