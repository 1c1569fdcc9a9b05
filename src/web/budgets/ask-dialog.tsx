import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { createPortal } from 'react-dom';
import type { ApprovalRequest, OrderRequest } from '#contract/resources/request.ts';
import { newIdempotencyKey } from '#web/api/queries/idempotency-key.ts';
import { useAsk } from '#web/api/queries/requests.ts';
import { AmountField } from '#web/forms/money/amount-field.tsx';
import { FormDialog, useDialogForm } from '#web/forms/form-dialog.tsx';
import { Field } from '#web/ui/controls/field.tsx';
import { TextArea } from '#web/ui/controls/text-input.tsx';
import { showToast } from '#web/ui/overlays/toast-store.ts';

/** Asks administrators for more of a budget, or to place an order that is above the limit. */
export type AskFor =
  | { kind: 'budget'; budget_id: string; amount_usd: string }
  | {
      kind: 'order';
      order: OrderRequest;
      /** Why it needs an approval, where the page does not say it. */
      message?: string;
    };

interface AskDialogProps {
  ask: AskFor;
  onAsked?: ((request: ApprovalRequest) => void) | undefined;
  onClose: () => void;
}

export function AskDialog({ ask, onAsked, onClose }: AskDialogProps) {
  const { mutateAsync } = useAsk();
  const navigate = useNavigate();
  const [idempotency_key] = useState(newIdempotencyKey);
  const isBudget = ask.kind === 'budget';
  const form = useDialogForm<{ amount_usd: string; note: string }>({
    amount_usd: isBudget ? ask.amount_usd : '',
    note: '',
  });
  const { register, formState, control } = form;
  // A form must not be inside of the form that it was opened from.
  return createPortal(
    <FormDialog
      form={form}
      title={isBudget ? 'Ask for more' : 'Ask for approval'}
      description={
        isBudget
          ? 'Administrators can raise the budget once, for the current period.'
          : `${ask.message ? `${ask.message} ` : ''}An administrator approves or rejects it. Once approved, it starts as your work.`
      }
      submitLabel="Send request"
      onSubmit={async ({ amount_usd, note }) => {
        const body = isBudget
          ? { kind: 'budget' as const, budget_id: ask.budget_id, amount_usd, note: note.trim() }
          : { kind: 'order' as const, order: ask.order, note: note.trim() };
        const request = await mutateAsync({ body, idempotency_key });
        const open = () => void navigate({ to: '/billing' });
        showToast({ title: 'Request sent', tone: 'good', action: { label: 'Open', onPress: open } });
        onAsked?.(request);
        onClose();
      }}
      onClose={onClose}
    >
      {isBudget ? <AmountField control={control} name="amount_usd" label="How much more" placeholder="5" /> : null}
      <Field label="Note" hint="What it is for." error={formState.errors.note?.message}>
        <TextArea
          {...register('note', { validate: (note) => note.trim() !== '' || 'Add a note.' })}
          rows={3}
          maxLength={500}
        />
      </Field>
    </FormDialog>,
    document.body,
  );
}
