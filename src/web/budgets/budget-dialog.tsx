import { type Control, useController, useWatch } from 'react-hook-form';
import type { Budget } from '#contract/resources/budget.ts';
import { AmountField } from '#web/forms/amount-field.tsx';
import { FormDialog, useDialogForm } from '#web/forms/form-dialog.tsx';
import { useDeleteBudget, useSetBudget } from '#web/api/queries/budgets.ts';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/field.tsx';
import { formatMoney } from '#web/ui/money.tsx';
import { NumberField } from '#web/ui/number-field.tsx';
import { parseAmount } from '#web/ui/parse-amount.ts';
import { TextInput } from '#web/ui/text-input.tsx';
import { showToast } from '#web/ui/toast-store.ts';

const DEFAULT_WARNING_PERCENT = 80;
const CONTACT_MAX_LENGTH = 200;

export interface BudgetDialogProps {
  name: string;
  /** null for the budget of the whole organization. */
  key_id: string | null;
  budget: Budget | null;
  onClose: () => void;
}

interface BudgetValues {
  limit_usd: string;
  warn_at_percent: number | null;
  contact: string;
}

export function BudgetDialog({ name, key_id, budget, onClose }: BudgetDialogProps) {
  const { mutateAsync: setBudget } = useSetBudget();
  const remove = useDeleteBudget();
  const form = useDialogForm<BudgetValues>({
    limit_usd: budget?.limit_usd ?? '',
    warn_at_percent: budget?.warn_at_percent ?? DEFAULT_WARNING_PERCENT,
    contact: budget?.contact ?? '',
  });
  const { control, register } = form;
  const limit = parseAmount(useWatch({ control, name: 'limit_usd' }), { zero: true }).amount;
  const submit = async ({ limit_usd, warn_at_percent, contact }: BudgetValues) => {
    const { amount } = parseAmount(limit_usd, { zero: true });
    if (amount === null || warn_at_percent === null) return;
    const set = await setBudget({ key_id, limit_usd: amount, warn_at_percent, contact: contact.trim() || null });
    showToast({ title: `Budget set to ${formatMoney(set.limit_usd)} a month`, detail: name, tone: 'good' });
    onClose();
  };
  const removeBudget = (id: string) =>
    remove.mutate(id, {
      onSuccess: () => {
        showToast({ title: 'Budget removed', detail: name, tone: 'good' });
        onClose();
      },
      onError: ({ message }) => form.setError('root.server', { type: 'server', message }),
    });
  return (
    <FormDialog
      form={form}
      size="sm"
      title={`Monthly budget: ${name}`}
      description="Charges and reservations both count. Work that would exceed the budget is rejected."
      submitLabel={limit === null ? 'Set budget' : `Set budget · ${formatMoney(limit)}`}
      aside={
        budget ? (
          <Button variant="ghost" className="mr-auto" busy={remove.isPending} onClick={() => removeBudget(budget.id)}>
            Remove
          </Button>
        ) : null
      }
      onSubmit={submit}
      onClose={onClose}
    >
      <AmountField
        control={control}
        name="limit_usd"
        label="Dollars per month"
        hint="Resets on the 1st at 00:00 UTC."
        zero
      />
      <PercentField control={control} />
      <Field label="Contact for more budget" hint="Shown when work is rejected for its budget." optional>
        <TextInput {...register('contact')} maxLength={CONTACT_MAX_LENGTH} placeholder="Ana, ana@example.com" />
      </Field>
    </FormDialog>
  );
}

function PercentField({ control }: { control: Control<BudgetValues> }) {
  const { field, fieldState } = useController({
    control,
    name: 'warn_at_percent',
    rules: {
      validate: (percent) =>
        (percent !== null && Number.isInteger(percent) && percent >= 1 && percent <= 100) ||
        'Enter a whole number from 1 to 100.',
    },
  });
  return (
    <Field label="Warn at" error={fieldState.error?.message}>
      <NumberField min={1} max={100} step={5} unit="%" {...field} />
    </Field>
  );
}
