import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useSession } from '#web/api/session/session.ts';
import { deliveryQuery } from '#web/api/queries/webhooks.ts';
import { Callout } from '#web/ui/display/callout.tsx';
import { Page } from '#web/ui/page.tsx';
import { BackLink } from '#web/ui/back-link.tsx';
import { SignatureCheckForm } from './signature-check-form.tsx';

const route = getRouteApi('/webhooks/check');

/** Checks whether a received delivery is genuine, and if not, explains why. */
export function SignatureCheckPage() {
  const { delivery: id } = route.useSearch();
  const signedIn = useSession() === 'signed_in';
  const delivery = useQuery({
    ...deliveryQuery(id ?? ''),
    enabled: signedIn && id !== undefined,
    refetchInterval: false,
  });
  return (
    <Page
      above={<BackLink to="/webhooks">All endpoints</BackLink>}
      title="Verify a signature"
      intro="Runs in your browser. Nothing you paste is sent or saved."
    >
      {globalThis.crypto?.subtle === undefined ? (
        <NeedsHttps />
      ) : (
        <SignatureCheckForm payload={delivery.data?.payload} />
      )}
      {delivery.data ? (
        <p className="mt-4 text-sm text-ink-3">
          Compared with event <code className="font-mono text-xs">{delivery.data.event_id}</code>
        </p>
      ) : null}
    </Page>
  );
}

function NeedsHttps() {
  return (
    <Callout tone="amber" title="Signature checks need HTTPS">
      Browsers compute signatures only over HTTPS or on localhost. Open the dashboard that way, or use the code shown
      with the secret.
    </Callout>
  );
}
