import { Square } from 'lucide-react';
import { isActive } from '#contract/statuses.ts';
import type { Generation } from '#contract/resources/generation.ts';
import { useCancelTogether } from '#web/api/queries/batches.ts';
import { Button } from '#web/ui/button.tsx';
import { showToast } from '#web/ui/toast-store.ts';

interface CancelAllButtonProps {
  generations: readonly Pick<Generation, 'id' | 'status'>[];
  /** The batch that all of them belong to. */
  batch_id?: string | undefined;
}

/** Cancels those of several results that are not done; nothing once all are. */
export function CancelAllButton({ generations, batch_id }: CancelAllButtonProps) {
  const cancel = useCancelTogether();
  const active = generations.filter(({ status }) => isActive(status));
  if (active.length === 0) return null;
  const showError = (error: Error) => showToast({ title: 'Could not cancel', detail: error.message, tone: 'bad' });
  return (
    <Button
      size="sm"
      busy={cancel.isPending}
      icon={<Square aria-hidden="true" className="size-3.5 fill-current" />}
      onClick={() => cancel.mutate({ batchId: batch_id, ids: active.map(({ id }) => id) }, { onError: showError })}
    >
      Cancel all
    </Button>
  );
}
