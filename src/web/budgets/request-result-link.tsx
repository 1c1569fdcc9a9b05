import { Link } from '@tanstack/react-router';
import type { ApprovalRequest } from '#contract/resources/request.ts';
import { buttonClass } from '#web/ui/controls/button.tsx';

/** Opens what an approved order became. Nothing for other requests. */
export function RequestResultLink({ request, size = 'sm' }: { request: ApprovalRequest; size?: 'sm' | 'md' }) {
  const { generation_id, workflow_run_id, batch_id } = request;
  if (generation_id)
    return (
      <Link to="/generations/$id" params={{ id: generation_id }} className={buttonClass({ size })}>
        Open result
      </Link>
    );
  if (workflow_run_id)
    return (
      <Link to="/workflows/runs/$id" params={{ id: workflow_run_id }} search={{}} className={buttonClass({ size })}>
        Open run
      </Link>
    );
  if (batch_id)
    return (
      <Link to="/batches/$id" params={{ id: batch_id }} className={buttonClass({ size })}>
        Open batch
      </Link>
    );
  return null;
}
