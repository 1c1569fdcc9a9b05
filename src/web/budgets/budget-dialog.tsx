import { createPortal } from 'react-dom';
import { type Control, useController, useWatch } from 'react-hook-form';
import { formatMoney } from '#contract/money/money.ts';
import type { Budget } from '#contract/resources/budget.ts';
import { catalogName, knownModels } from '#web/api/known-models.ts';
import { AmountField } from '#web/forms/money/amount-field.tsx';
import { FormDialog, useDialogForm } from '#web/forms/form-dialog.tsx';
import { useDeleteBudget, useSetBudget } from '#web/api/queries/billing.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { Field } from '#web/ui/controls/field.tsx';
import { NumberField } from '#web/ui/controls/number-field.tsx';
import { parseAmount } from '#web/ui/controls/parse-amount.ts';
import { TextInput } from '#web/ui/controls/text-input.tsx';
import { showToast } from '#web/ui/overlays/toast-store.ts';
import { formatBudgetScope, INTERVAL_ADJECTIVES } from './scope-name.ts';
import { StopsWorkWarning, useUsedUp } from './stops-work-warning.tsx';
import { TagValueInput } from '#web/forms/tags/tag-value-input.tsx';
import { Select, type SelectOption } from '#web/ui/controls/select.tsx';
import { useQuery } from '@tanstack/react-query';
import { keysQuery } from '#web/api/queries/keys.ts';
import { useEveryone } from '#web/api/queries/people.ts';
import { useCan } from '#web/api/queries/permissions.ts';
import { tagsQuery } from '#web/api/queries/settings.ts';

const DEFAULT_WARNING_PERCENT = 80;
const RESET_HINTS = {
  day: 'Resets every day at 00:00 UTC.',
  week: 'Resets on Mondays at 00:00 UTC.',
  month: 'Resets on the 1st at 00:00 UTC.',
} satisfies Record<Budget['interval'], string>;
const CONTACT_MAX_LENGTH = 200;

export interface BudgetDialogProps {
  /** null while the scope is not chosen. */
  name: string | null;
  /** What the budget limits; null lets people choose it and the interval. */
  scope: string | null;
  budget: Budget | null;
  onClose: () => void;
}

export interface BudgetValues {
  scope: string;
  /** Only of a tag with free values. */
  tag_value: string;
  interval: Budget['interval'];
  limit_usd: string;
  warn_at_percent: number | null;
  contact: string;
}

export function BudgetDialog({ name, scope, budget, onClose }: BudgetDialogProps) {
  const { mutateAsync: setBudget } = useSetBudget();
  const remove = useDeleteBudget();
  const form = useDialogForm<BudgetValues>({
    scope: scope ?? 'organization',
    tag_value: '',
    interval: budget?.interval ?? 'month',
    limit_usd: budget?.limit_usd ?? '',
    warn_at_percent: budget?.warn_at_percent ?? DEFAULT_WARNING_PERCENT,
    contact: budget?.contact ?? '',
  });
  const { control, register } = form;
  const interval = useWatch({ control, name: 'interval' });
  const limit = parseAmount(useWatch({ control, name: 'limit_usd' }), { zero: true }).amount;
  const target = { scope: toScope(useWatch({ control })), interval };
  const used = useUsedUp(target, limit);
  const scopeName = useScopeOptions().find(({ value }) => value === target.scope)?.label ?? null;
  const submit = async ({ limit_usd, warn_at_percent, contact }: BudgetValues) => {
    const { amount } = parseAmount(limit_usd, { zero: true });
    if (amount === null || warn_at_percent === null) return;
    const set = await setBudget({
      ...target,
      limit_usd: amount,
      warn_at_percent,
      contact: contact.trim() || null,
    });
    const title = `Budget set to ${formatMoney(set.limit_usd)} a ${set.interval}`;
    showToast({ title, detail: name ?? formatBudgetScope(set), tone: 'good' });
    onClose();
  };
  const removeBudget = (id: string) =>
    remove.mutate(id, {
      onSuccess: () => {
        showToast({ title: 'Budget removed', ...(name ? { detail: name } : {}), tone: 'good' });
        onClose();
      },
      onError: ({ message }) => form.setError('root.server', { type: 'server', message }),
    });
  // A form must not be inside of the form that it was opened from.
  return createPortal(
    <FormDialog
      form={form}
      size="sm"
      title={name === null ? 'New budget' : `${INTERVAL_ADJECTIVES[interval]} budget: ${name}`}
      description="Charges and reservations both count. Work that would exceed the budget is rejected."
      variant={used === null ? 'primary' : 'danger'}
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
      {scope === null ? <BudgetTargetFields control={control} /> : null}
      <AmountField
        control={control}
        name="limit_usd"
        label={`Dollars per ${interval}`}
        hint={RESET_HINTS[interval]}
        zero
      />
      {used === null ? null : (
        <StopsWorkWarning
          {...target}
          name={name ?? formatBudgetScope({ ...target, scope_name: scopeName })}
          used={used}
        />
      )}
      <PercentField control={control} />
      <Field label="Contact for more budget" hint="Shown when work is rejected for its budget." optional>
        <TextInput {...register('contact')} maxLength={CONTACT_MAX_LENGTH} placeholder="Ana, ana@example.com" />
      </Field>
    </FormDialog>,
    document.body,
  );
}

/** A chosen tag with free values ends with `=`. */
const toScope = ({ scope = '', tag_value = '' }: Partial<BudgetValues>): string =>
  scope.endsWith('=') ? scope + tag_value.trim() : scope;

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

const INTERVALS = [
  { value: 'day', label: 'Day' },
  { value: 'week', label: 'Week' },
  { value: 'month', label: 'Month' },
] as const satisfies readonly { value: Budget['interval']; label: string }[];

/** Chooses what a new budget limits, and how long. A budget that exists for both is replaced. */
function BudgetTargetFields({ control }: { control: Control<BudgetValues> }) {
  const scope = useController({ control, name: 'scope' });
  const interval = useController({ control, name: 'interval' });
  const options = useScopeOptions();
  return (
    <>
      <Field label="For" error={scope.fieldState.error?.message}>
        <Select {...scope.field} options={options} />
      </Field>
      {scope.field.value.endsWith('=') ? (
        <TagValueField tag={scope.field.value.slice('tag:'.length, -1)} control={control} />
      ) : null}
      <Field label="Interval" hint="A budget that already exists for both is replaced.">
        <Select {...interval.field} options={INTERVALS} />
      </Field>
    </>
  );
}

function TagValueField({ tag, control }: { tag: string; control: Control<BudgetValues> }) {
  const { field, fieldState } = useController({
    control,
    name: 'tag_value',
    rules: { validate: (value) => value.trim() !== '' || 'Enter a value.' },
  });
  return (
    <Field label="Value" error={fieldState.error?.message}>
      <TagValueInput name={tag} value={field.value} onChange={field.onChange} />
    </Field>
  );
}

/** What a new budget can limit. A tag with free values ends with `=`: its value is still to be entered. */
function useScopeOptions(): SelectOption<string>[] {
  const people = useEveryone().filter(({ removed_at }) => removed_at === null);
  const { data: keys = [] } = useQuery({ ...keysQuery, enabled: useCan('keys.manage') });
  const { data: tags = [] } = useQuery(tagsQuery);
  return [
    { value: 'organization', label: 'Everybody' },
    ...people.map(({ id, name }) => ({ value: `person:${id}`, label: name, group: 'People' })),
    ...keys
      .filter(({ revoked_at }) => revoked_at === null)
      .map(({ id, name }) => ({ value: `key:${id}`, label: name, group: 'Keys' })),
    ...knownModels().map((id) => ({ value: `model:${id}`, label: catalogName(id), group: 'Models' })),
    ...tags.flatMap(({ name, label, values }) =>
      values
        ? values.map((value) => ({ value: `tag:${name}=${value}`, label: value, group: label }))
        : [{ value: `tag:${name}=`, label: `${label}…`, group: label }],
    ),
  ];
}
