import { useState } from 'react';
import { useAddCredit } from '#web/queries/billing.ts';
import { AmountInput } from '#web/ui/amount-input.tsx';
import { Field } from '#web/ui/field.tsx';
import { FormDialog } from '#web/ui/form-dialog.tsx';
import { formatMoney } from '#web/ui/money.tsx';
import { readAmount } from '#web/ui/read-amount.ts';
import { TextInput } from '#web/ui/text-input.tsx';
import { showToast } from '#web/ui/toast-store.ts';

const LONGEST_REASON = 500;

/** Moves the balance by hand, with a reason that stays in the ledger. */
export function CreditDialog({ onClose }: { onClose: () => void }) {
  const { mutate, isPending, error } = useAddCredit();
  const [amount, setAmount] = useState('');
  const [reason, setReason] = useState('');
  const [asked, setAsked] = useState(false);
  const amount_usd = readAmount(amount, { signed: true });
  const description = reason.trim();
  const takes = amount_usd?.startsWith('-') ?? false;
  const submit = () => {
    setAsked(true);
    if (amount_usd === null || description === '') return;
    mutate(
      { amount_usd, description },
      {
        onSuccess: (entry) => {
          const available = `${formatMoney(entry.available_after_usd)} available now.`;
          showToast({ title: takes ? 'Balance corrected' : 'Credit added', detail: available, tone: 'good' });
          onClose();
        },
      },
    );
  };
  return (
    <FormDialog
      size="sm"
      title="Add credit"
      description="It stands in the ledger with your key’s name."
      go={amount_usd === null ? 'Add credit' : `${takes ? 'Take' : 'Add'} ${formatMoney(amount_usd.replace('-', ''))}`}
      busy={isPending}
      problem={error?.message}
      onSubmit={submit}
      onClose={onClose}
    >
      <Field
        label="Amount in dollars"
        hint="A negative amount takes money back."
        error={asked && amount_usd === null ? 'Give an amount such as 25 or -3.50.' : undefined}
      >
        <AmountInput value={amount} onChange={setAmount} />
      </Field>
      <Field label="What for?" error={asked && description === '' ? 'Say what it is for.' : undefined}>
        <TextInput
          maxLength={LONGEST_REASON}
          placeholder="Budget for March"
          value={reason}
          onChange={(event) => setReason(event.target.value)}
        />
      </Field>
    </FormDialog>
  );
}
