import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { meQuery } from '#web/queries/me.ts';
import { RequireSession } from '#web/session/require-session.tsx';
import { useSession } from '#web/session/session.ts';
import { Button } from '#web/ui/button.tsx';
import { Page } from '#web/ui/page.tsx';
import { CreditDialog } from './credit-dialog.tsx';
import { Funds } from './funds.tsx';
import { Ledger } from './ledger.tsx';

const route = getRouteApi('/billing');

/** What there is to spend, and every movement of money. */
export function BillingPage() {
  const search = route.useSearch();
  return (
    <Page title="Billing" intro="What you can spend, and where every cent went." actions={<AddCredit />}>
      <RequireSession to="see billing">
        <Funds />
        <Ledger search={search} />
      </RequireSession>
    </Page>
  );
}

/** For whoever holds an organization key. */
function AddCredit() {
  const signedIn = useSession() === 'signed_in';
  const { data: me } = useQuery({ ...meQuery, enabled: signedIn });
  const [open, setOpen] = useState(false);
  if (!signedIn || me?.key.kind !== 'organization') return null;
  return (
    <>
      <Button icon={<Plus aria-hidden="true" className="size-4" />} onClick={() => setOpen(true)}>
        Add credit
      </Button>
      {open ? <CreditDialog onClose={() => setOpen(false)} /> : null}
    </>
  );
}
