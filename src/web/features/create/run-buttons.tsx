import { RotateCcw, Square } from 'lucide-react';
import type { Generation } from '#contract/resources/generation.ts';
import { ApiError } from '#web/api/api-errors.ts';
import { addRun, type Run } from './runs.ts';
import { toRunProblem } from './start-generation-run.ts';
import { useCancelGeneration, useRetryGeneration } from '#web/api/queries/generations.ts';
import { newIdempotencyKey } from '#web/api/queries/idempotency-key.ts';
import { Button } from '#web/ui/button.tsx';
import { showToast } from '#web/ui/toast-store.ts';

const showActionError = (title: string, error: unknown) =>
  showToast({ title, detail: error instanceof Error ? error.message : undefined, tone: 'bad' });

export function CancelButton({ generation }: { generation: Generation }) {
  const cancel = useCancelGeneration();
  return (
    <Button
      size="sm"
      busy={cancel.isPending}
      icon={<Square aria-hidden="true" className="size-3.5 fill-current" />}
      onClick={() => cancel.mutate(generation.id, { onError: (error) => showActionError('Could not cancel', error) })}
    >
      Cancel
    </Button>
  );
}

/** Retries a generation as a new run of this tab. */
export function RetryButton({ run, generation }: { run: Run; generation: Generation }) {
  const retry = useRetryGeneration();
  const start = async () => {
    const idempotency_key = newIdempotencyKey();
    const { request_id: _request_id, ...again } = run;
    const attempt = { ...again, id: idempotency_key, started_at_ms: Date.now() };
    try {
      const { id } = await retry.mutateAsync({ id: generation.id, idempotency_key });
      addRun({ ...attempt, generation_id: id, problem: null });
    } catch (error) {
      // Above a limit, the run itself shows what can be asked for.
      const problem = toRunProblem(error);
      if (error instanceof ApiError && error.status === 402)
        addRun({ ...attempt, generation_id: null, retry_of: generation.id, problem });
      else showActionError('Could not retry', error);
    }
  };
  return (
    <Button
      size="sm"
      busy={retry.isPending}
      icon={<RotateCcw aria-hidden="true" className="size-3.5" />}
      onClick={() => void start()}
    >
      Try again
    </Button>
  );
}
