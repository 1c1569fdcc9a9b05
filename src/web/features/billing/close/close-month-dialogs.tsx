import { formatMoney } from '#contract/money/money.ts';
import type { Close } from '#contract/resources/closing.ts';
import { useCloseMonth, useReopenMonth } from '#web/api/queries/closing.ts';
import { FormDialog, useDialogForm } from '#web/forms/form-dialog.tsx';
import { Field } from '#web/ui/controls/field.tsx';
import { TextInput } from '#web/ui/controls/text-input.tsx';
import { ConfirmDialog } from '#web/ui/overlays/confirm-dialog.tsx';
import { showToast } from '#web/ui/overlays/toast-store.ts';
import { formatUtcMonth } from '../period.ts';
import { countOf } from './finding-labels.ts';

interface MonthDialogProps {
  close: Close;
  onClose: () => void;
}

const MAX_REASON_LENGTH = 500;

export function CloseMonthDialog({ close: { month, data }, onClose }: MonthDialogProps) {
  const name = formatUtcMonth(month);
  const { mutate, isPending, error } = useCloseMonth();
  const waiting = data.flatMap(({ provider, findings }) =>
    findings
      .filter(({ kind, open_count }) => kind === 'ours_only' && open_count > 0)
      .map(
        ({ open_count, open_usd }) =>
          `${countOf(open_count, 'cost')} of ${provider.name} without a line (${formatMoney(open_usd, { signed: true })}) will wait for a later bill.`,
      ),
  );
  const unbilled = data.filter(({ bill_count }) => bill_count === 0).map(({ provider }) => provider.name);
  const confirm = () =>
    mutate(month, {
      onSuccess: () => {
        showToast({ title: `${name} is closed`, tone: 'good' });
        onClose();
      },
    });
  return (
    <ConfirmDialog
      title={`Close ${name}`}
      description="The record of the month proves later that ledger, bills and figures have not changed."
      consequences={[
        `Bills, findings and statements of ${name} stay as they are.`,
        'Lines that arrive later become corrections in an open month.',
        ...waiting,
        ...(unbilled.length > 0 ? [`No bill: ${unbilled.join(', ')}.`] : []),
        'Reopening needs a reason and is audited.',
      ]}
      cancelLabel="Cancel"
      confirmLabel={`Close ${name}`}
      busy={isPending}
      error={error}
      onConfirm={confirm}
      onClose={onClose}
    />
  );
}

export function ReopenMonthDialog({ close: { month }, onClose }: MonthDialogProps) {
  const name = formatUtcMonth(month);
  const { mutateAsync: reopen } = useReopenMonth();
  const form = useDialogForm({ reason: '' });
  const submit = async ({ reason }: { reason: string }) => {
    await reopen({ month, reason: reason.trim() });
    showToast({ title: `${name} is open again`, tone: 'good' });
    onClose();
  };
  return (
    <FormDialog
      form={form}
      size="sm"
      title={`Reopen ${name}`}
      description="Its figures can change until it is closed again. The audit log keeps who reopened it, and why."
      submitLabel={`Reopen ${name}`}
      onSubmit={submit}
      onClose={onClose}
    >
      <Field label="Reason" error={form.formState.errors.reason?.message}>
        <TextInput
          {...form.register('reason', { validate: (reason) => reason.trim() !== '' || 'Enter a reason.' })}
          maxLength={MAX_REASON_LENGTH}
          placeholder="A bill arrived late"
        />
      </Field>
    </FormDialog>
  );
}
