import { useQuery } from '@tanstack/react-query';
import type { Generation } from '#contract/resources/generation.ts';
import { useIsOperator } from '#web/api/queries/me.ts';
import { reviewQuery, upstreamQuery } from '#web/api/queries/review.ts';
import { formatProviderCost } from '#web/upstream/format-provider-cost.ts';
import { DecisionNote } from '#web/upstream/decision-note.tsx';
import { UpstreamFacts } from '#web/upstream/upstream-facts.tsx';
import { Section } from '#web/ui/section.tsx';

/** Tools and previews never leave this machine. */
const canHaveProviderJob = ({ model, task, started_at, output }: Generation) =>
  started_at !== null && (model !== null || task === 'social.search') && output.data?.['engine'] !== 'preview';

/** For organization keys: the job at another service and its cost beside ours, and how a review was decided. */
export function UpstreamSection({ generation }: { generation: Generation }) {
  const { id, status, error } = generation;
  const is_operator = useIsOperator();
  const job = useQuery({ ...upstreamQuery(generation), enabled: is_operator && canHaveProviderJob(generation) }).data;
  const ended = status === 'succeeded' || status === 'failed';
  const may_be_decided = ended && (job !== undefined || error?.code === 'rejected');
  const review = useQuery({ ...reviewQuery(id), enabled: is_operator && may_be_decided }).data;
  if (!is_operator) return null;
  return (
    <>
      {review?.decision ? (
        <Section title="Review">
          <p className="mb-2 text-sm text-ink-2">{review.reason}</p>
          <DecisionNote review={review} />
        </Section>
      ) : null}
      {job ? (
        <Section title="At the provider">
          <p className="mb-2.5 text-sm text-ink-2">{formatProviderCost(job)}</p>
          <UpstreamFacts job={job} />
        </Section>
      ) : null}
    </>
  );
}
