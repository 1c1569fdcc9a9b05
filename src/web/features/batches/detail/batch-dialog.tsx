import { formatMoney, formatUsd, parseUsd } from '#contract/money/money.ts';
import type { Batch } from '#contract/resources/batch.ts';
import { useChangeBatch } from '#web/api/queries/batches.ts';
import { AmountField } from '#web/forms/money/amount-field.tsx';
import { FormDialog, useDialogForm } from '#web/forms/form-dialog.tsx';
import { Checkbox } from '#web/ui/controls/checkbox.tsx';
import { ConsequenceList } from '#web/ui/overlays/confirm-dialog.tsx';
import { formatNumber } from '#web/ui/formats.ts';
import { parseAmount } from '#web/ui/controls/parse-amount.ts';
import { showToast } from '#web/ui/overlays/toast-store.ts';
import { suggestLimit } from './suggest-limit.ts';

interface BatchDialogProps {
  batch: Batch;
  onClose: () => void;
}

/** Asks for the limit of a batch that is resumed, or whether to cancel it. */
export const BatchDialog = ({ kind, ...props }: BatchDialogProps & { kind: 'resume' | 'cancel' }) =>
  kind === 'resume' ? <ResumeDialog {...props} /> : <CancelDialog {...props} />;

function ResumeDialog({ batch, onClose }: BatchDialogProps) {
  const { mutateAsync: change } = useChangeBatch();
  const form = useDialogForm({ stop_at_usd: suggestLimit(batch) });
  const committed = formatUsd(parseUsd(batch.spent_usd) + parseUsd(batch.reserved_usd));
  const isReached = batch.pause_reason === 'stop_at' && batch.stop_at_usd !== null;
  const resume = async ({ stop_at_usd }: { stop_at_usd: string }) => {
    const limit = stop_at_usd.trim() === '' ? null : (parseAmount(stop_at_usd).amount ?? null);
    if (isReached && limit !== null && parseUsd(limit) <= parseUsd(batch.stop_at_usd ?? '0'))
      throw new Error(
        `The limit of ${formatMoney(batch.stop_at_usd ?? '0')} is reached already. Enter more, or nothing for no limit.`,
      );
    await change({ id: batch.id, action: 'resume', stop_at_usd: limit });
    onClose();
  };
  return (
    <FormDialog
      form={form}
      size="sm"
      title="Resume this batch"
      description={`${isReached ? `The limit of ${formatMoney(batch.stop_at_usd ?? '0')} is reached. ` : ''}${formatMoney(committed)} is spent or reserved so far, and ${orderCount(batch.counts.waiting)} ${batch.counts.waiting === 1 ? 'waits' : 'wait'}.`}
      cancelLabel="Keep paused"
      submitLabel="Resume"
      onSubmit={resume}
      onClose={onClose}
    >
      <AmountField
        control={form.control}
        name="stop_at_usd"
        label="Stop at"
        optional
        placeholder="No limit"
        hint={`For the whole batch, what is spent already included. It was estimated at ${formatMoney(batch.estimated_usd)}.`}
      />
    </FormDialog>
  );
}

const orderCount = (count: number) => (count === 1 ? '1 order' : `${formatNumber(count)} orders`);

function CancelDialog({ batch: { id, counts }, onClose }: BatchDialogProps) {
  const { mutateAsync: change } = useChangeBatch();
  const form = useDialogForm({ cancel_running: counts.waiting === 0 });
  const withRunning = form.watch('cancel_running');
  const cancel = async ({ cancel_running }: { cancel_running: boolean }) => {
    await change({ id, action: 'cancel', cancel_running });
    showToast({ title: 'Batch canceled', detail: 'Nothing further is charged for canceled orders.' });
    onClose();
  };
  return (
    <FormDialog
      form={form}
      size="sm"
      title="Cancel this batch?"
      description={counts.waiting > 0 ? `${orderCount(counts.waiting)} will not start.` : 'No order is waiting.'}
      variant="danger"
      cancelLabel="Keep it"
      submitLabel="Cancel batch"
      onSubmit={cancel}
      onClose={onClose}
    >
      {counts.active > 0 && counts.waiting > 0 ? (
        <Checkbox
          checked={withRunning}
          onChange={(checked) => form.setValue('cancel_running', checked)}
          label={`Also cancel ${counts.active === 1 ? 'the active order' : `the ${orderCount(counts.active)} that are active`}`}
          hint="Otherwise they are finished and charged."
        />
      ) : null}
      <ConsequenceList
        consequences={[
          'A canceled batch can’t be resumed.',
          ...(withRunning && counts.active > 0 ? ['Reservations of active orders are released.'] : []),
          'Results so far are kept and stay charged.',
        ]}
      />
    </FormDialog>
  );
}
