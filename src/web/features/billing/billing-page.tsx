import { getRouteApi } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { type ComponentType, type ReactNode, useState } from 'react';
import { useCan, useCannot } from '#web/api/queries/permissions.ts';
import { RequireSession } from '#web/api/session/require-session.tsx';
import { Button } from '#web/ui/button.tsx';
import { cx } from '#web/ui/cx.ts';
import { lazyComponent } from '#web/ui/lazy-component.tsx';
import { Page } from '#web/ui/page.tsx';
import { Loading, Skeleton } from '#web/ui/skeleton.tsx';
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

const route = getRouteApi('/billing');
const CreditDialog = lazyComponent(async () => (await import('./credit-dialog.tsx')).CreditDialog);
const LedgerEntryPanel = lazyComponent(async () => (await import('./ledger/ledger-entry-panel.tsx')).LedgerEntryPanel);
const LazyOverview = lazyComponent(async () => (await import('./overview/overview.tsx')).Overview);

const LazyMonthlyStatement = lazyComponent(
  async () => (await import('./statement/monthly-statement.tsx')).MonthlyStatement,
);
const LazyPivotView = lazyComponent(async () => (await import('./pivot/pivot-view.tsx')).PivotView);
const LazyMarginReport = lazyComponent(async () => (await import('./margin/margin-report.tsx')).MarginReport);
const LazyWhatIfCalculator = lazyComponent(
  async () => (await import('./what-if/what-if-calculator.tsx')).WhatIfCalculator,
);

const TAB_VIEWS = {
  overview: LazyOverview,
  ledger: Ledger,
  pivot: LazyPivotView,
  statement: LazyMonthlyStatement,
  margin: LazyMarginReport,
  what_if: LazyWhatIfCalculator,
} satisfies Record<BillingTab, ComponentType<BillingTabProps & { fallback: ReactNode }>>;
const tabs = (Object.keys(BILLING_TABS) as BillingTab[]).map((value) => ({ value, label: BILLING_TABS[value] }));

export function BillingPage() {
  const search = route.useSearch();
  const tab = activeBillingTab(search);
  const canSee = useCan('billing.read_own');
  const openEntry = tab === 'ledger' && canSee ? search.open : undefined;
  return (
    <div className={cx(openEntry && 'lg:grid lg:grid-cols-[minmax(0,1fr)_clamp(24rem,34vw,36rem)]')}>
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
      {openEntry ? <OpenEntry id={openEntry} /> : null}
    </div>
  );
}

function OpenEntry({ id }: { id: string }) {
  const navigate = route.useNavigate();
  const close = () => void navigate({ search: ({ open: _open, ...rest }) => rest, resetScroll: false });
  return <LedgerEntryPanel id={id} onClose={close} />;
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
  const [canSeeAll, canSeeCosts] = [!useCannot('billing.read'), useCan('costs.read')];
  const isAllowed: Record<BillingTab, boolean> = {
    overview: true,
    ledger: true,
    pivot: true,
    statement: canSeeAll,
    margin: canSeeCosts,
    what_if: canSeeAll,
  };
  const shown = tabs.filter(({ value }) => isAllowed[value] || tab === value);
  return (
    <Tabs label="Billing" value={tab} tabs={shown} onChange={(next) => updateSearch({ part: next, from, to }, false)}>
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
      <Button
        icon={<Plus aria-hidden="true" className="size-4" />}
        onPointerEnter={CreditDialog.preload}
        onFocus={CreditDialog.preload}
        onClick={() => setOpen(true)}
      >
        Add credit
      </Button>
      {open ? <CreditDialog onClose={() => setOpen(false)} /> : null}
    </>
  );
}
