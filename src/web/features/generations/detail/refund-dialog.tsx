import { useState } from 'react';
import { formatUsd } from '#contract/money.ts';
import type { Generation } from '#contract/resources/generation.ts';
import { netCost } from '#web/forms/net-cost.ts';
import { useRefund } from '#web/queries/audit.ts';
import { newIdempotencyKey } from '#web/queries/idempotency-key.ts';
import { AmountInput } from '#web/ui/amount-input.tsx';
import { Field } from '#web/ui/field.tsx';
import { FormDialog } from '#web/ui/form-dialog.tsx';
import { formatMoney } from '#web/ui/money.tsx';
import { readAmount } from '#web/ui/read-amount.ts';
import { TextInput } from '#web/ui/text-input.tsx';
import { showToast } from '#web/ui/toast-store.ts';

const LONGEST_REASON = 500;

/** "$0.50 was charged, $0.10 of it is refunded already." */
const refundSentence = ({ amount_usd, refunded_usd = '0.00' }: Generation['usage']) =>
  `${formatMoney(amount_usd)} was charged${Number(refunded_usd) > 0 ? `, ${formatMoney(refunded_usd)} of it is refunded already` : ''}.`;

/** Gives back the charge of a generation, all that is left of it or a part, with a reason that stays in the ledger. */
export function RefundDialog({ generation: { id, usage }, onClose }: { generation: Generation; onClose: () => void }) {
  const left_usd = formatUsd(netCost(usage));
  const { mutate, isPending, error } = useRefund();
  // The same order however often it is pressed, and another one as soon as it says something else.
  const [order, setOrder] = useState(() => ({ amount: '', reason: '', idempotency_key: newIdempotencyKey() }));
  const [asked, setAsked] = useState(false);
  const change = (part: { amount: string } | { reason: string }) =>
    setOrder((before) => ({ ...before, ...part, idempotency_key: newIdempotencyKey() }));
  const amount_usd = readAmount(order.amount);
  const wrong = amount_usd === null && order.amount.trim() !== '';
  const reason = order.reason.trim();
  const submit = () => {
    setAsked(true);
    if (wrong || reason === '') return;
    mutate(
      {
        body: { generation_id: id, reason, ...(amount_usd === null ? {} : { amount_usd }) },
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
    <FormDialog
      size="sm"
      title="Give money back"
      description={refundSentence(usage)}
      go={amount_usd === null ? 'Refund' : `Refund ${formatMoney(amount_usd)}`}
      busy={isPending}
      problem={error?.message}
      onSubmit={submit}
      onClose={onClose}
    >
      <Field
        label="Amount in dollars"
        hint={`Leave empty to refund the rest (${formatMoney(left_usd)}).`}
        error={asked && wrong ? 'Give an amount such as 3.50, or leave it empty.' : undefined}
      >
        <AmountInput placeholder={left_usd} value={order.amount} onChange={(amount) => change({ amount })} />
      </Field>
      <Field label="Why?" error={asked && reason === '' ? 'Say why it is given back.' : undefined}>
        <TextInput
          maxLength={LONGEST_REASON}
          placeholder="The clip came out black"
          value={order.reason}
          onChange={(event) => change({ reason: event.target.value })}
        />
      </Field>
    </FormDialog>
  );
}
