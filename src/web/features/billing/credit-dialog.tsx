import { useState } from 'react';
import { useAddCredit } from '#web/queries/billing.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { ErrorText, Field } from '#web/ui/field.tsx';
import { formatMoney } from '#web/ui/money.tsx';
import { TextInput } from '#web/ui/text-input.tsx';
import { showToast } from '#web/ui/toast-store.ts';
import { readAmount } from './credit-amount.ts';

const FORM = 'credit';
const LONGEST_REASON = 500;

/** Moves the balance by hand, with a reason that stays in the ledger. */
export function CreditDialog({ onClose }: { onClose: () => void }) {
  const { mutate, isPending, error } = useAddCredit();
  const [amount, setAmount] = useState('');
  const [reason, setReason] = useState('');
  const [asked, setAsked] = useState(false);
  const amount_usd = readAmount(amount);
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
    <Dialog
      open
      size="sm"
      title="Add credit"
      description="It stands in the ledger with your key’s name."
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={FORM} variant="primary" busy={isPending}>
            {amount_usd === null
              ? 'Add credit'
              : `${takes ? 'Take' : 'Add'} ${formatMoney(amount_usd.replace('-', ''))}`}
          </Button>
        </>
      }
    >
      <form
        id={FORM}
        noValidate
        className="flex flex-col gap-5"
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <Field
          label="Amount in dollars"
          hint="A negative amount takes money back."
          error={asked && amount_usd === null ? 'Give an amount such as 25 or -3.50.' : undefined}
        >
          <TextInput
            inputMode="decimal"
            autoComplete="off"
            prefix="$"
            value={amount}
            onChange={(event) => setAmount(event.target.value)}
          />
        </Field>
        <Field label="What for?" error={asked && description === '' ? 'Say what it is for.' : undefined}>
          <TextInput
            maxLength={LONGEST_REASON}
            placeholder="Budget for March"
            value={reason}
            onChange={(event) => setReason(event.target.value)}
          />
        </Field>
        {error ? <ErrorText>{error.message}</ErrorText> : null}
      </form>
    </Dialog>
  );
}
