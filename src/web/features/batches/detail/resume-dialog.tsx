import { formatUsd, parseUsd } from '#contract/money.ts';
import type { Batch } from '#contract/resources/batch.ts';
import { useChangeBatch } from '#web/api/queries/batches.ts';
import { AmountField } from '#web/forms/amount-field.tsx';
import { FormDialog, useDialogForm } from '#web/forms/form-dialog.tsx';
import { formatMoney } from '#web/ui/money.tsx';
import { parseAmount } from '#web/ui/parse-amount.ts';

export function ResumeDialog({ batch, onClose }: { batch: Batch; onClose: () => void }) {
  const { mutateAsync: change } = useChangeBatch(batch.id);
  const form = useDialogForm({ stop_at_usd: batch.stop_at_usd ?? '' });
  const committed = formatUsd(parseUsd(batch.spent_usd) + parseUsd(batch.reserved_usd));
  const resume = async ({ stop_at_usd }: { stop_at_usd: string }) => {
    await change({ action: 'resume', stop_at_usd: stop_at_usd.trim() === '' ? null : parseAmount(stop_at_usd).amount });
    onClose();
  };
  return (
    <FormDialog
      form={form}
      size="sm"
      title="Resume this batch"
      description={`${formatMoney(committed)} is spent or reserved so far.`}
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
