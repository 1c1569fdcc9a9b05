import { getRouteApi } from '@tanstack/react-router';
import { RequireSession } from '#web/session/require-session.tsx';
import { Page } from '#web/ui/page.tsx';
import { Funds } from './funds.tsx';
import { Ledger } from './ledger.tsx';

const route = getRouteApi('/billing');

/** What there is to spend, and every movement of money. */
export function BillingPage() {
  const search = route.useSearch();
  return (
    <Page title="Billing" intro="What you can spend, and where every cent went.">
      <RequireSession to="see billing">
        <Funds />
        <Ledger search={search} />
      </RequireSession>
    </Page>
  );
}
