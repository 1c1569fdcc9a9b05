import { getRouteApi } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { type ComponentType, type ReactNode, useState } from 'react';
import { useCan, useCannot } from '#web/api/queries/permissions.ts';
import { RequireSession } from '#web/api/session/require-session.tsx';
import { Button } from '#web/ui/controls/button.tsx';
import { cx } from '#web/ui/cx.ts';
import { lazyComponent } from '#web/ui/lazy-component.tsx';
import { Page } from '#web/ui/page.tsx';
import { Loading, Skeleton } from '#web/ui/display/skeleton.tsx';
import { Tabs } from '#web/ui/tabs.tsx';
import {
  BILLING_TABS,
  type BillingTab,
  type BillingSearch,
  activeBillingTab,
  type BillingTabProps,
} from './billing-search.ts';
import { Ledger } from './ledger/ledger.tsx';
import { omitUndefined } from '#web/ui/search-params.ts';
import { Overview } from './overview/overview.tsx';
import { useWatch } from 'react-hook-form';
import { formatMoney } from '#contract/money/money.ts';
import { AmountField } from '#web/forms/money/amount-field.tsx';
import { FormDialog, useDialogForm } from '#web/forms/form-dialog.tsx';
import { useAddCredit } from '#web/api/queries/billing.ts';
import { Field } from '#web/ui/controls/field.tsx';
import { parseAmount } from '#web/ui/controls/parse-amount.ts';
import { TextInput } from '#web/ui/controls/text-input.tsx';
import { showToast } from '#web/ui/overlays/toast-store.ts';

const route = getRouteApi('/billing');

const LedgerEntryPanel = lazyComponent(async () => (await import('./ledger/ledger-entry-panel.tsx')).LedgerEntryPanel);

const FindingPanel = lazyComponent(async () => (await import('./close/finding-panel.tsx')).FindingPanel);

const LazyMonthlyStatement = lazyComponent(
  async () => (await import('./statement/monthly-statement.tsx')).MonthlyStatement,
);

const LazyCloseView = lazyComponent(async () => (await import('./close/close-view.tsx')).CloseView);
const LazyReport = lazyComponent(async () => (await import('./report/report.tsx')).Report);
const LazyAuditView = lazyComponent(async () => (await import('./audit/audit-view.tsx')).AuditView);
const LazyWhatIfCalculator = lazyComponent(
  async () => (await import('./what-if/what-if-calculator.tsx')).WhatIfCalculator,
);

const TAB_VIEWS = {
  overview: Overview,
  ledger: Ledger,
  report: LazyReport,
  statement: LazyMonthlyStatement,
  close: LazyCloseView,
  audit: LazyAuditView,
  what_if: LazyWhatIfCalculator,
} satisfies Record<BillingTab, ComponentType<BillingTabProps & { fallback: ReactNode }>>;
/** Opened from another tab. */
const PARENT_TABS: Partial<Record<BillingTab, BillingTab>> = { what_if: 'report' };
const tabs = (Object.keys(BILLING_TABS) as BillingTab[])
  .filter((value) => !PARENT_TABS[value])
  .map((value) => ({ value, label: BILLING_TABS[value] }));

export function BillingPage() {
  const search = route.useSearch();
  const tab = activeBillingTab(search);
  const openPanel = useOpenPanel(search);
  return (
    <div className={cx(openPanel !== null && 'lg:grid lg:grid-cols-[minmax(0,1fr)_clamp(24rem,34vw,36rem)]')}>
      <div className="min-w-0">
        <Page
          title="Billing"
          view={BILLING_TABS[tab]}
          intro="Balance, spending and every ledger entry."
          actions={<AddCredit />}
        >
          <RequireSession to="see billing" permission="billing.read_own">
            <BillingTabs />
          </RequireSession>
        </Page>
      </div>
      {openPanel}
    </div>
  );
}

/** What is open beside the tab. */
function useOpenPanel(search: BillingSearch): ReactNode {
  const navigate = route.useNavigate();
  const [canSee, canSeeCosts] = [useCan('billing.read_own'), useCan('costs.read')];
  const { open: id, provider } = search;
  const onClose = () => void navigate({ search: ({ open: _open, ...rest }) => rest, resetScroll: false });
  const tab = activeBillingTab(search);
  if (id === undefined) return null;
  if (tab === 'ledger' && canSee) return <LedgerEntryPanel id={id} onClose={onClose} />;
  if (tab === 'close' && canSeeCosts && provider !== undefined) return <FindingPanel {...{ id, search, onClose }} />;
  return null;
}

function BillingTabs() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const tab = activeBillingTab(search);
  const updateSearch = (next: BillingSearch, replace: boolean) =>
    void navigate({ search: omitUndefined(next), replace, resetScroll: false });
  const change = (changed: Partial<BillingSearch>) => updateSearch({ ...search, part: tab, ...changed }, true);
  const { from, to } = search;
  const View = TAB_VIEWS[tab];
  const canSeeAll = !useCannot('billing.read');
  const canVerify = useCan('ledger.verify');
  const canSeeCosts = useCan('costs.read');
  const isAllowed: Record<BillingTab, boolean> = {
    overview: true,
    ledger: true,
    report: true,
    statement: canSeeAll,
    close: canSeeCosts,
    audit: canVerify,
    what_if: canSeeAll,
  };
  const openTab = PARENT_TABS[tab] ?? tab;
  const shown = tabs.filter(({ value }) => isAllowed[value] || openTab === value);
  return (
    <Tabs
      label="Billing"
      value={openTab}
      tabs={shown}
      onChange={(next) => updateSearch({ part: next, from, to }, false)}
    >
      <View
        search={search}
        onChange={change}
        onClear={() => updateSearch({ part: tab, ledger: search.ledger }, true)}
        fallback={<TabSkeleton />}
      />
    </Tabs>
  );
}

function TabSkeleton() {
  return (
    <Loading label="Loading" className="flex flex-col gap-6">
      <Skeleton className="h-28 w-full rounded-md" />
      <Skeleton className="h-80 w-full rounded-md" />
    </Loading>
  );
}

function AddCredit() {
  const canAdd = useCan('funds.manage');
  const [open, setOpen] = useState(false);
  if (!canAdd) return null;
  return (
    <>
      <Button icon={<Plus aria-hidden="true" className="size-4" />} onClick={() => setOpen(true)}>
        Add credit
      </Button>
      {open ? <CreditDialog onClose={() => setOpen(false)} /> : null}
    </>
  );
}

const REASON_MAX_LENGTH = 500;

interface CreditValues {
  amount_usd: string;
  description: string;
}

function actionLabel(amountUsd: string | null): string {
  if (amountUsd === null) return 'Add credit';
  return `${amountUsd.startsWith('-') ? 'Deduct' : 'Add'} ${formatMoney(amountUsd.replace('-', ''))}`;
}

/** Adds credit, or deducts it if the amount is negative, with a reason that is kept in the ledger. */
function CreditDialog({ onClose }: { onClose: () => void }) {
  const { mutateAsync: addCredit } = useAddCredit();
  const form = useDialogForm<CreditValues>({ amount_usd: '', description: '' });
  const { control, register, formState } = form;
  const { amount } = parseAmount(useWatch({ control, name: 'amount_usd' }), { signed: true });
  const submit = async (values: CreditValues) => {
    const { amount: amount_usd } = parseAmount(values.amount_usd, { signed: true });
    if (amount_usd === null) return;
    const entry = await addCredit({ amount_usd, description: values.description.trim() });
    const amountText = formatMoney(entry.amount_usd.replace('-', ''));
    showToast({
      title: entry.amount_usd.startsWith('-') ? `${amountText} deducted` : `${amountText} added`,
      detail: `${formatMoney(entry.available_after_usd)} available.`,
      tone: 'good',
    });
    onClose();
  };
  return (
    <FormDialog
      form={form}
      size="sm"
      title="Add credit"
      description="The ledger records who did this."
      submitLabel={actionLabel(amount)}
      onSubmit={submit}
      onClose={onClose}
    >
      <AmountField
        control={control}
        name="amount_usd"
        label="Amount in dollars"
        hint="Enter a negative amount to deduct credit."
        signed
      />
      <Field label="Reason" error={formState.errors.description?.message}>
        <TextInput
          {...register('description', { validate: (reason) => reason.trim() !== '' || 'Enter a reason.' })}
          maxLength={REASON_MAX_LENGTH}
          placeholder="Budget for March"
        />
      </Field>
    </FormDialog>
  );
}
