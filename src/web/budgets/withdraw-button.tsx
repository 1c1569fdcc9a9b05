import type { ApprovalRequest } from '#contract/resources/request.ts';
import { useWithdrawRequest } from '#web/api/queries/requests.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { toastError } from '#web/ui/overlays/toast-error.ts';
import { showToast } from '#web/ui/overlays/toast-store.ts';
import { describeRequest } from './describe-request.ts';

/** Withdraws one's own request that waits. */
export function WithdrawButton({ request, size = 'sm' }: { request: ApprovalRequest; size?: 'sm' | 'md' }) {
  const { mutate, isPending } = useWithdrawRequest();
  const withdraw = () =>
    mutate(request.id, {
      onSuccess: () => showToast({ title: 'Request withdrawn', detail: describeRequest(request) }),
      onError: toastError('Not withdrawn'),
    });
  return (
    <Button size={size} busy={isPending} onClick={withdraw}>
      Withdraw<span className="sr-only">: {describeRequest(request)}</span>
    </Button>
  );
}
