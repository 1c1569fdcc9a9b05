import { useState } from 'react';
import type { Generation } from '#contract/resources/generation.ts';
import { useRefund } from '#web/queries/audit.ts';
import { newIdempotencyKey } from '#web/queries/idempotency-key.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { ErrorText, Field } from '#web/ui/field.tsx';
import { formatMoney } from '#web/ui/money.tsx';
import { TextInput } from '#web/ui/text-input.tsx';
import { showToast } from '#web/ui/toast-store.ts';

const FORM = 'refund';
const LONGEST_REASON = 500;
const AMOUNT = /^\d{1,9}(\.\d{1,6})?$/;

/** Gives back the charge of a generation, all that is left of it or a part, with a reason that stays in the ledger. */
export function RefundDialog({ generation: { id, usage }, onClose }: { generation: Generation; onClose: () => void }) {
  const { mutate, isPending, error } = useRefund();
  // The same order however often it is pressed, and another one as soon as it says something else.
  const [order, setOrder] = useState(() => ({ amount: '', reason: '', idempotency_key: newIdempotencyKey() }));
  const [asked, setAsked] = useState(false);
  const change = (part: { amount: string } | { reason: string }) =>
    setOrder((before) => ({ ...before, ...part, idempotency_key: newIdempotencyKey() }));
  const amount_usd = order.amount.trim().replace('$', '').replaceAll(',', '');
  const wrong = amount_usd !== '' && !(AMOUNT.test(amount_usd) && /[1-9]/.test(amount_usd));
  const reason = order.reason.trim();
  const submit = () => {
    setAsked(true);
    if (wrong || reason === '') return;
    mutate(
      {
        body: { generation_id: id, reason, ...(amount_usd === '' ? {} : { amount_usd }) },
        idempotency_key: order.idempotency_key,
      },
      {
        onSuccess: (entry) => {
          showToast({
            title: `${formatMoney(entry.amount_usd)} given back`,
            detail: `${formatMoney(entry.available_after_usd)} available now.`,
            tone: 'good',
          });
          onClose();
        },
      },
    );
  };
  return (
    <Dialog
      open
      size="sm"
      title="Give money back"
      description={`${formatMoney(usage.amount_usd)} was charged.`}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={FORM} variant="primary" busy={isPending}>
            {amount_usd === '' || wrong ? 'Refund' : `Refund ${formatMoney(amount_usd)}`}
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
          hint="Left empty: all that is left of the charge."
          error={asked && wrong ? 'Give an amount such as 3.50, or leave it empty.' : undefined}
        >
          <TextInput
            inputMode="decimal"
            autoComplete="off"
            prefix="$"
            placeholder={usage.amount_usd}
            value={order.amount}
            onChange={(event) => change({ amount: event.target.value })}
          />
        </Field>
        <Field label="Why?" error={asked && reason === '' ? 'Say why it is given back.' : undefined}>
          <TextInput
            maxLength={LONGEST_REASON}
            placeholder="The clip came out black"
            value={order.reason}
            onChange={(event) => change({ reason: event.target.value })}
          />
        </Field>
        {error ? <ErrorText>{error.message}</ErrorText> : null}
      </form>
    </Dialog>
  );
}
