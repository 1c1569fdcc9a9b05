import { useNavigate } from '@tanstack/react-router';
import { useCallback, useMemo, useState } from 'react';
import { isActive } from '#contract/statuses.ts';
import type { Generation } from '#contract/resources/generation.ts';
import { useAskOnError } from '#web/budgets/use-ask-on-error.tsx';
import { useCancelGeneration, useRetryGeneration } from '#web/api/queries/generations.ts';
import { useCan } from '#web/api/queries/permissions.ts';
import { newIdempotencyKey } from '#web/api/queries/idempotency-key.ts';
import { showError } from '#web/ui/overlays/toast-error.ts';
import { showToast } from '#web/ui/overlays/toast-store.ts';

export const canCancelGeneration = ({ status }: Generation): boolean => isActive(status);
/** Only the newest attempt can be retried, which the service checks. */
export const canRetryGeneration = ({ status }: Generation): boolean => status === 'failed' || status === 'canceled';

export function useGenerationActions() {
  const canChange = useCan('work.create');
  const { mutateAsync: cancelById } = useCancelGeneration();
  const { mutateAsync: retryById } = useRetryGeneration();
  const [starting, setStarting] = useState<ReadonlySet<string>>(new Set());
  const { askDialog, askFor } = useAskOnError();
  const navigate = useNavigate();

  const open = useCallback(
    (id: string) => void navigate({ to: '/generations/$id', params: { id }, search: (search) => search }),
    [navigate],
  );

  const cancel = useCallback(
    async (generation: Generation) => {
      if (!canCancelGeneration(generation)) return;
      try {
        const { status } = await cancelById(generation.id);
        if (status === 'canceled') showToast({ title: 'Canceled', detail: 'The reserved money was released.' });
        else showToast({ title: 'Too late to cancel', detail: 'It had already finished.' });
      } catch (error) {
        showError('Could not cancel', error);
      }
    },
    [cancelById],
  );

  const retry = useCallback(
    async (generation: Generation) => {
      const { id } = generation;
      if (!canRetryGeneration(generation) || starting.has(id)) return;
      setStarting((ids) => new Set(ids).add(id));
      try {
        const started = await retryById({ id, idempotency_key: newIdempotencyKey() });
        showToast({ title: 'Retry started', tone: 'good', action: { label: 'Open', onPress: () => open(started.id) } });
      } catch (error) {
        if (!askFor(error, { type: 'generation_retry', generation_id: id })) showError('Could not retry', error);
      }
      setStarting((ids) => new Set([...ids].filter((each) => each !== id)));
    },
    [retryById, starting, open, askFor],
  );

  // The rows of a list are drawn again for another object.
  return useMemo(
    () => ({ open, cancel, retry, starting, canChange, askDialog }),
    [open, cancel, retry, starting, canChange, askDialog],
  );
}

export type GenerationActions = ReturnType<typeof useGenerationActions>;
