import { useQuery } from '@tanstack/react-query';
import { isActive } from '#contract/statuses.ts';
import type { Generation } from '#contract/resources/generation.ts';
import { generationQuery } from '#web/api/queries/generations.ts';
import { GenerationOutputs } from '#web/media/outputs/generation-outputs.tsx';
import { describeProviderStatus } from '#web/upstream/describe-provider-status.ts';
import { GenerationRunView } from '../generation-run-view.tsx';
import { RunProgress } from '../run-progress.tsx';
import type { Run } from '../runs.ts';
import { VariationActions } from './variation-actions.tsx';
import type { Comparison } from '../use-comparison.ts';

interface VariationCellProps {
  run: Run;
  number: number;
  /** CSS length. */
  max_height: string;
  comparison: Comparison;
}

/** One of several results. What is not a result (a failure, a review) looks as it does alone. */
export function VariationCell({ run, number, max_height, comparison }: VariationCellProps) {
  const { data, isError } = useQuery({
    ...generationQuery(run.generation_id ?? ''),
    enabled: run.generation_id !== null,
  });
  if (data?.status === 'succeeded')
    return (
      <div className="flex min-w-0 flex-col gap-1.5">
        <GenerationOutputs generation={data} max_height={max_height} />
        <VariationActions generation={data} number={number} comparison={comparison} />
      </div>
    );
  if (isError || (data && !isActive(data.status))) return <GenerationRunView run={run} max_height={max_height} />;
  return (
    <div className="flex min-w-0 flex-col gap-1.5">
      <RunProgress
        run={run}
        label={progressLabel(run, data)}
        progress={data?.status === 'running' ? data.progress : null}
        details={describeProviderStatus(data?.provider_status)}
        max_height={max_height}
      />
      {/* The actions take this room, so that the results below do not move. */}
      <div className="h-15" />
    </div>
  );
}

function progressLabel({ generation_id }: Run, generation: Generation | undefined): string {
  if (!generation) return generation_id === null ? 'Sending…' : 'Loading…';
  return generation.status === 'queued' ? 'In the queue' : 'Generating…';
}
