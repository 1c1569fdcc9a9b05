import type { Batch } from '#contract/resources/batch.ts';
import { useChangeBatch } from '#web/api/queries/batches.ts';
import { FormDialog, useDialogForm } from '#web/forms/form-dialog.tsx';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { ConsequenceList } from '#web/ui/confirm-dialog.tsx';
import { formatNumber } from '#web/ui/formats.ts';
import { showToast } from '#web/ui/toast-store.ts';

const orders = (count: number) => (count === 1 ? '1 order' : `${formatNumber(count)} orders`);

export function CancelDialog({ batch: { id, counts }, onClose }: { batch: Batch; onClose: () => void }) {
  const { mutateAsync: change } = useChangeBatch(id);
  const form = useDialogForm({ cancel_running: counts.waiting === 0 });
  const withRunning = form.watch('cancel_running');
  const cancel = async ({ cancel_running }: { cancel_running: boolean }) => {
    await change({ action: 'cancel', cancel_running });
    showToast({ title: 'Batch canceled', detail: 'Nothing further is charged for canceled orders.' });
    onClose();
  };
  return (
    <FormDialog
      form={form}
      size="sm"
      title="Cancel this batch?"
      description={counts.waiting > 0 ? `${orders(counts.waiting)} will not start.` : 'No order is waiting.'}
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
          label={`Also cancel ${counts.active === 1 ? 'the active order' : `the ${orders(counts.active)} that are active`}`}
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
