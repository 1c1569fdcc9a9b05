import { useWatch } from 'react-hook-form';
import { formatMoney, formatNano, parseNano } from '#contract/money/money.ts';
import {
  type ClosingFinding,
  type KindSums,
  NEEDS_NOTE,
  SETTLE_ACTIONS,
  type SettleAction,
} from '#contract/resources/closing-finding.ts';
import { MAX_SETTLED_IDS } from '#contract/resources/closing.ts';
import { useSettleFindings } from '#web/api/queries/closing.ts';
import { FormDialog, useDialogForm } from '#web/forms/form-dialog.tsx';
import { Button } from '#web/ui/controls/button.tsx';
import { Callout } from '#web/ui/display/callout.tsx';
import { Field } from '#web/ui/controls/field.tsx';
import { RadioCards } from '#web/ui/controls/radio-cards.tsx';
import { TextInput } from '#web/ui/controls/text-input.tsx';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { showToast } from '#web/ui/overlays/toast-store.ts';
import { formatUtcMonth } from '../period.ts';
import { ACTIONS, countOf } from './finding-labels.ts';

interface SettleDialogProps {
  month: string;
  providerId: string;
  /** Those that are settled, or else all open ones of a kind. */
  findings?: readonly ClosingFinding[];
  kind?: KindSums;
  onSettled?: () => void;
  onClose: () => void;
}

interface SettleValues {
  action: SettleAction | null;
  note: string;
}

const MAX_NOTE_LENGTH = 500;

/** Settles findings by one of the actions that all of them have, and says before what that books. */
export function SettleDialog({ month, providerId, findings = [], kind, onSettled, onClose }: SettleDialogProps) {
  const { mutateAsync: settle } = useSettleFindings();
  const actions =
    kind?.actions ?? SETTLE_ACTIONS.filter((action) => findings.every((each) => each.actions.includes(action)));
  const count = kind?.open_count ?? findings.length;
  const sumUsd = kind?.open_usd ?? formatNano(findings.reduce((sum, { due_usd }) => sum + parseNano(due_usd), 0n));
  const sum = formatMoney(sumUsd, { signed: true });
  const form = useDialogForm<SettleValues>({ action: actions.length === 1 ? (actions[0] ?? null) : null, note: '' });
  const { register, formState, control } = form;
  const action = useWatch({ control, name: 'action' });
  const kinds = kind ? [kind.kind] : findings.map((finding) => finding.kind);
  const needsNote = NEEDS_NOTE.some((rule) => rule.action === action && kinds.includes(rule.kind));
  const title = `Settle ${countOf(count, 'finding')}`;
  const problem =
    actions.length === 0
      ? 'No action fits all of them. Select findings of one kind.'
      : !kind && count > MAX_SETTLED_IDS
        ? `At most ${MAX_SETTLED_IDS} can be selected. Choose a kind to settle all of it.`
        : null;
  if (problem !== null)
    return (
      <Dialog open size="sm" title={title} footer={<Button onClick={onClose}>Close</Button>} onClose={onClose}>
        <Callout tone="amber">{problem}</Callout>
      </Dialog>
    );
  // Every open finding of a kind can be booked, but not each has a price that later jobs can have.
  const isPartial = kind !== undefined && action === 'use_new_cost';
  const submit = async (values: SettleValues) => {
    if (values.action === null) return;
    const { amount_usd, finding_count } = await settle({
      month,
      provider_id: providerId,
      ...(kind ? { kind: kind.kind } : { finding_ids: findings.map(({ id }) => id) }),
      action: values.action,
      ...(values.note.trim() === '' ? {} : { note: values.note.trim() }),
    });
    showToast({
      title: `${countOf(finding_count, 'finding')} settled`,
      detail: `${formatMoney(amount_usd, { signed: true })} booked as cost of ${formatUtcMonth(month)}.`,
      tone: 'good',
    });
    onSettled?.();
    onClose();
  };
  return (
    <FormDialog
      form={form}
      title={title}
      submitLabel={action === null ? 'Settle' : isPartial ? ACTIONS[action].label : `${ACTIONS[action].label} · ${sum}`}
      onSubmit={submit}
      onClose={onClose}
    >
      <RadioCards
        label="Action"
        options={actions.map((value) => ({ value, label: ACTIONS[value].label, hint: ACTIONS[value].sentence }))}
        register={register('action', { validate: (chosen) => chosen !== null || 'Choose an action.' })}
        error={formState.errors.action?.message}
      />
      <Field label="Note" optional={!needsNote} error={formState.errors.note?.message}>
        <TextInput
          {...register('note', { validate: (note) => !needsNote || note.trim() !== '' || 'Enter a note.' })}
          maxLength={MAX_NOTE_LENGTH}
          placeholder="Confirmed by the provider"
        />
      </Field>
      <p className="text-sm text-ink-2">
        {isPartial ? 'Adds up to ' : 'Adds '}
        <span className="font-medium text-ink tabular-nums">{sum}</span> to our costs of {formatUtcMonth(month)}.{' '}
        {isPartial ? 'Findings without a price per unit may stay open. ' : null}
        Margin, reports and statements follow; charges of people stay as they are.
      </p>
    </FormDialog>
  );
}
