import { useState } from 'react';
import type { Budget } from '#contract/resources/budget.ts';
import { useDeleteBudget, useSetBudget } from '#web/queries/budgets.ts';
import { AmountInput } from '#web/ui/amount-input.tsx';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/field.tsx';
import { FormDialog } from '#web/ui/form-dialog.tsx';
import { NumberField } from '#web/ui/number-field.tsx';
import { readAmount } from '#web/ui/read-amount.ts';
import { TextInput } from '#web/ui/text-input.tsx';
import { showToast } from '#web/ui/toast-store.ts';

const USUAL_WARNING_PERCENT = 80;

export interface BudgetDialogProps {
  /** Whose it is: "Studio", "Ana". */
  name: string;
  /** null: of the whole organization. */
  key_id: string | null;
  /** As it is; null where there is none yet. */
  budget: Budget | null;
  onClose: () => void;
}

/** How much may be spent in a month, by everybody or with one key. */
export function BudgetDialog({ name, key_id, budget, onClose }: BudgetDialogProps) {
  const set = useSetBudget();
  const remove = useDeleteBudget();
  const [limit, setLimit] = useState(budget?.limit_usd ?? '');
  const [percent, setPercent] = useState<number | null>(budget?.warn_at_percent ?? USUAL_WARNING_PERCENT);
  const [contact, setContact] = useState(budget?.contact ?? '');
  const [asked, setAsked] = useState(false);
  const limit_usd = readAmount(limit, { zero: true });
  const wrong_percent = percent === null || !Number.isInteger(percent) || percent < 1 || percent > 100;
  const error = set.error ?? remove.error;
  const done = (title: string) => {
    showToast({ title, tone: 'good' });
    onClose();
  };
  const submit = () => {
    setAsked(true);
    if (limit_usd === null || wrong_percent) return;
    set.mutate(
      { key_id, limit_usd, warn_at_percent: percent, contact: contact.trim() || null },
      { onSuccess: () => done('Budget set') },
    );
  };
  return (
    <FormDialog
      size="sm"
      title={`Monthly budget: ${name}`}
      description="Charges and what is held count. New work above it is refused."
      go="Set the budget"
      aside={
        budget ? (
          <Button
            variant="ghost"
            className="mr-auto"
            busy={remove.isPending}
            onClick={() => remove.mutate(budget.id, { onSuccess: () => done('Budget removed') })}
          >
            Remove
          </Button>
        ) : null
      }
      busy={set.isPending}
      problem={error?.message}
      onSubmit={submit}
      onClose={onClose}
    >
      <Field
        label="Dollars a month"
        hint="Months are UTC."
        error={asked && limit_usd === null ? 'Give an amount such as 50 or 12.50.' : undefined}
      >
        <AmountInput value={limit} onChange={setLimit} />
      </Field>
      <Field
        label="Warn when so much is used"
        error={asked && wrong_percent ? 'Give a whole number from 1 to 100.' : undefined}
      >
        <NumberField min={1} max={100} step={5} unit="%" value={percent} onChange={setPercent} />
      </Field>
      <Field label="Whom to ask for more" hint="Said to whoever is refused." optional>
        <TextInput
          maxLength={200}
          placeholder="Ana, ana@example.com"
          value={contact}
          onChange={(event) => setContact(event.target.value)}
        />
      </Field>
    </FormDialog>
  );
}
