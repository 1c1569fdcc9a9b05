import { useQuery } from '@tanstack/react-query';
import { ApiError } from '#web/api-errors.ts';
import { Made } from './made.tsx';
import { RunProblemView } from './run-problem-view.tsx';
import { removeRun, type Run } from './runs.ts';
import { UnderWay } from './under-way.tsx';
import { generationQuery } from '#web/queries/generations.ts';
import { Button } from '#web/ui/button.tsx';
import { EmptyState, ErrorState } from '#web/ui/empty-state.tsx';

/** One run: on its way, being made, made, or not. */
export function RunView({ run }: { run: Run }) {
  const query = useQuery({ ...generationQuery(run.generation_id ?? ''), enabled: run.generation_id !== null });
  if (run.problem) return <RunProblemView run={run} problem={run.problem} />;
  if (query.data) return <Made run={run} generation={query.data} />;
  if (query.error instanceof ApiError && query.error.status === 404)
    return (
      <EmptyState title="This is not yours to see" actions={<Button onClick={() => removeRun(run.id)}>Remove</Button>}>
        It was made with a key of another organization.
      </EmptyState>
    );
  if (query.isError)
    return (
      <ErrorState
        title="The result could not be read"
        actions={<Button onClick={() => void query.refetch()}>Try again</Button>}
      >
        It is being made all the same, and you find it in your generations.
      </ErrorState>
    );
  return <UnderWay run={run} label={run.generation_id === null ? 'Sending' : 'Reading'} progress={null} />;
}
