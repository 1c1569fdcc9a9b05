import { useQuery } from '@tanstack/react-query';
import { isTaskId } from '#contract/catalog.ts';
import { isModelId } from '#web/api/known-models.ts';
import { ApiError } from '#web/api/api-errors.ts';
import { GenerationRunResult } from './generation-run-result.tsx';
import { ActionsPlaceholder, type GroupedRunProps, RunHeader, runLayout } from './run-header.tsx';
import { removeRun, type Run } from './runs.ts';
import { RunProgress } from './run-progress.tsx';
import { generationQuery } from '#web/api/queries/generations.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { EmptyState, ErrorState } from '#web/ui/display/empty-state.tsx';
import { RequestedRun } from './requested-run.tsx';
import { RunProblemView } from './run-problem-view.tsx';

export function GenerationRunView({ run, ...grouped }: GroupedRunProps & { run: Run }) {
  const { maxHeight, isVariation = false } = grouped;
  const query = useQuery({ ...generationQuery(run.generation_id ?? ''), enabled: run.generation_id !== null });
  if (run.problem) return <RunProblemView run={run} problem={run.problem} />;
  if (run.request_id !== undefined && run.generation_id === null)
    return <RequestedRun run={run} request_id={run.request_id} />;
  if (query.data) return <GenerationRunResult run={run} generation={query.data} {...grouped} />;
  if (query.error instanceof ApiError && query.error.status === 404)
    return (
      <EmptyState
        title="This belongs to another organization"
        actions={<Button onClick={() => removeRun(run.id)}>Remove</Button>}
      >
        It was created with a key that can’t be used here.
      </EmptyState>
    );
  if (query.isError)
    return (
      <ErrorState
        title="The result could not be loaded"
        actions={<Button onClick={() => void query.refetch()}>Try again</Button>}
      >
        It keeps running. You can find it in Generations.
      </ErrorState>
    );
  const { task, model = null, input } = run.order.body;
  const sideBySide = maxHeight !== undefined;
  return (
    <div className={runLayout(sideBySide)}>
      {!isVariation && isTaskId(task) && (model === null || isModelId(model)) ? (
        <RunHeader task={task} model={model} input={input} sideBySide={sideBySide} />
      ) : null}
      <RunProgress
        run={run}
        label={run.generation_id === null ? 'Sending…' : 'Loading…'}
        progress={null}
        hidesTime={run.generation_id !== null}
        maxHeight={maxHeight}
      />
      <ActionsPlaceholder sideBySide={sideBySide} />
    </div>
  );
}
