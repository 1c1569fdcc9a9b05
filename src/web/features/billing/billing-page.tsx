import { getRouteApi } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { type ComponentType, type ReactNode, useState } from 'react';
import { useIsOperator } from '#web/queries/me.ts';
import { RequireSession } from '#web/session/require-session.tsx';
import { Button } from '#web/ui/button.tsx';
import { onDemand } from '#web/ui/on-demand.tsx';
import { Page } from '#web/ui/page.tsx';
import { Loading, Skeleton } from '#web/ui/skeleton.tsx';
import { Tabs } from '#web/ui/tabs.tsx';
import { BILLING_PARTS, type BillingPart, type BillingSearch, partOf, type PartProps } from './billing-search.ts';
import { Ledger } from './ledger/ledger.tsx';
import { present } from './ledger/ledger-search.ts';

const route = getRouteApi('/billing');
const CreditDialog = onDemand(async () => (await import('./credit-dialog.tsx')).CreditDialog);
const Overview = onDemand(async () => (await import('./overview/overview.tsx')).Overview);

const Statement = onDemand(async () => (await import('./statement/statement.tsx')).Statement);
const WhatIf = onDemand(async () => (await import('./what-if/what-if.tsx')).WhatIf);

const VIEWS = {
  overview: Overview,
  ledger: Ledger,
  statement: Statement,
  what_if: WhatIf,
} satisfies Record<BillingPart, ComponentType<PartProps & { fallback: ReactNode }>>;
const tabs = (Object.keys(BILLING_PARTS) as BillingPart[]).map((value) => ({ value, label: BILLING_PARTS[value] }));

/** What there is to spend, every movement of money, and whether it adds up. */
export function BillingPage() {
  const view = BILLING_PARTS[partOf(route.useSearch())];
  return (
    <Page title="Billing" view={view} intro="Funds, spending and every movement of money." actions={<AddCredit />}>
      <RequireSession to="see billing">
        <Parts />
      </RequireSession>
    </Page>
  );
}

function Parts() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const part = partOf(search);
  const go = (next: BillingSearch, replace: boolean) =>
    void navigate({ search: present(next), replace, resetScroll: false });
  const change = (changed: Partial<BillingSearch>) => go({ ...search, part, ...changed }, true);
  const { from, to } = search;
  const View = VIEWS[part];
  return (
    <Tabs label="Billing" value={part} tabs={tabs} onChange={(next) => go({ part: next, from, to }, false)}>
      <View search={search} onChange={change} onClear={() => go({ part }, true)} fallback={<PartSkeleton />} />
    </Tabs>
  );
}

function PartSkeleton() {
  return (
    <Loading label="Loading" className="flex flex-col gap-6">
      <Skeleton className="h-28 w-full rounded-md" />
      <Skeleton className="h-80 w-full rounded-md" />
    </Loading>
  );
}

/** Shown to organization keys. */
function AddCredit() {
  const operator = useIsOperator();
  const [open, setOpen] = useState(false);
  if (!operator) return null;
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
