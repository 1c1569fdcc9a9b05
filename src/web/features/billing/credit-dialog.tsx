import { useWatch } from 'react-hook-form';
import { formatMoney } from '#contract/money.ts';
import { AmountField } from '#web/forms/amount-field.tsx';
import { FormDialog, useDialogForm } from '#web/forms/form-dialog.tsx';
import { useAddCredit } from '#web/api/queries/billing.ts';
import { Field } from '#web/ui/field.tsx';
import { parseAmount } from '#web/ui/parse-amount.ts';
import { TextInput } from '#web/ui/text-input.tsx';
import { showToast } from '#web/ui/toast-store.ts';

const REASON_MAX_LENGTH = 500;

interface CreditValues {
  amount_usd: string;
  description: string;
}

function actionLabel(amount_usd: string | null): string {
  if (amount_usd === null) return 'Add credit';
  return `${amount_usd.startsWith('-') ? 'Deduct' : 'Add'} ${formatMoney(amount_usd.replace('-', ''))}`;
}

/** Adds credit, or deducts it if the amount is negative, with a reason that is kept in the ledger. */
export function CreditDialog({ onClose }: { onClose: () => void }) {
  const { mutateAsync: addCredit } = useAddCredit();
  const form = useDialogForm<CreditValues>({ amount_usd: '', description: '' });
  const { control, register, formState } = form;
  const { amount } = parseAmount(useWatch({ control, name: 'amount_usd' }), { signed: true });
  const submit = async (values: CreditValues) => {
    const { amount: amount_usd } = parseAmount(values.amount_usd, { signed: true });
    if (amount_usd === null) return;
    const entry = await addCredit({ amount_usd, description: values.description.trim() });
    const amount_text = formatMoney(entry.amount_usd.replace('-', ''));
    showToast({
      title: entry.amount_usd.startsWith('-') ? `${amount_text} deducted` : `${amount_text} added`,
      detail: `${formatMoney(entry.available_after_usd)} available.`,
      tone: 'good',
    });
    onClose();
  };
  return (
    <FormDialog
      form={form}
      size="sm"
      title="Add credit"
      description="The ledger records who did this."
      submitLabel={actionLabel(amount)}
      onSubmit={submit}
      onClose={onClose}
    >
      <AmountField
        control={control}
        name="amount_usd"
        label="Amount in dollars"
        hint="Enter a negative amount to deduct credit."
        signed
      />
      <Field label="Reason" error={formState.errors.description?.message}>
        <TextInput
          {...register('description', { validate: (reason) => reason.trim() !== '' || 'Enter a reason.' })}
          maxLength={REASON_MAX_LENGTH}
          placeholder="Budget for March"
        />
      </Field>
    </FormDialog>
  );
}
