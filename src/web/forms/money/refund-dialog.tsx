import { useRef } from 'react';
import { useWatch } from 'react-hook-form';
import { formatMoney, formatUsd } from '#contract/money/money.ts';
import type { Generation } from '#contract/resources/generation.ts';
import { useRefund } from '#web/api/queries/billing.ts';
import { newIdempotencyKey } from '#web/api/queries/idempotency-key.ts';
import { Field } from '#web/ui/controls/field.tsx';
import { parseAmount } from '#web/ui/controls/parse-amount.ts';
import { TextInput } from '#web/ui/controls/text-input.tsx';
import { showToast } from '#web/ui/overlays/toast-store.ts';
import { AmountField } from './amount-field.tsx';
import { FormDialog, useDialogForm } from '#web/forms/form-dialog.tsx';
import { netCost } from './net-cost.ts';

const REASON_MAX_LENGTH = 500;

/** A generation that was charged. */
export interface RefundableCharge {
  id: string;
  usage: Pick<Generation['usage'], 'amount_usd' | 'refunded_usd' | 'billing_status'>;
}

const refundSentence = ({ amount_usd, refunded_usd = '0.00' }: RefundableCharge['usage']) =>
  `${formatMoney(amount_usd)} was charged${Number(refunded_usd) > 0 ? `, ${formatMoney(refunded_usd)} already refunded` : ''}.`;

interface RefundValues {
  /** Empty refunds the rest of the charge. */
  amount_usd: string;
  reason: string;
}

export function RefundDialog({ charge, onClose }: { charge: RefundableCharge; onClose: () => void }) {
  const { id, usage } = charge;
  const { mutateAsync: refund } = useRefund();
  const form = useDialogForm<RefundValues>({ amount_usd: '', reason: '' });
  const { control, register, formState } = form;
  const leftUsd = formatUsd(netCost(usage));
  const typedUsd = useWatch({ control, name: 'amount_usd' });
  const refundedUsd = typedUsd.trim() === '' ? leftUsd : parseAmount(typedUsd).amount;
  // The key stays the same for equal requests, so that sending one twice refunds once.
  const sent = useRef({ body: '', idempotency_key: '' });
  const submit = async ({ amount_usd: typed, reason }: RefundValues) => {
    const { amount: amount_usd } = parseAmount(typed);
    const body = { generation_id: id, reason: reason.trim(), ...(amount_usd === null ? {} : { amount_usd }) };
    const text = JSON.stringify(body);
    if (sent.current.body !== text) sent.current = { body: text, idempotency_key: newIdempotencyKey() };
    const entry = await refund({ body, idempotency_key: sent.current.idempotency_key });
    showToast({
      title: `${formatMoney(entry.amount_usd)} refunded`,
      detail: `${formatMoney(entry.available_after_usd)} available now.`,
      tone: 'good',
    });
    onClose();
  };
  return (
    <FormDialog
      form={form}
      size="sm"
      title="Refund"
      description={refundSentence(usage)}
      submitLabel={refundedUsd === null ? 'Refund' : `Refund ${formatMoney(refundedUsd)}`}
      onSubmit={submit}
      onClose={onClose}
    >
      <AmountField
        control={control}
        name="amount_usd"
        label="Amount in dollars"
        hint={`Leave empty to refund the rest (${formatMoney(leftUsd)}).`}
        placeholder={leftUsd}
        optional
      />
      <Field label="Reason" error={formState.errors.reason?.message}>
        <TextInput
          {...register('reason', { validate: (reason) => reason.trim() !== '' || 'Enter a reason.' })}
          maxLength={REASON_MAX_LENGTH}
          placeholder="The clip came out black"
        />
      </Field>
    </FormDialog>
  );
}
