import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useSession } from '#web/api/session/session.ts';
import { deliveryQuery } from '#web/api/queries/deliveries.ts';
import { Callout } from '#web/ui/callout.tsx';
import { Page } from '#web/ui/page.tsx';
import { BackToWebhooksLink } from './back-to-webhooks-link.tsx';
import { SignatureCheckForm } from './signature-check-form.tsx';

const route = getRouteApi('/webhooks/check');

/** Says of a delivery that somebody received whether it is genuine, and if not, what is wrong with it. */
export function SignatureCheckPage() {
  const { delivery: id } = route.useSearch();
  const signedIn = useSession() === 'signed_in';
  const known = useQuery({ ...deliveryQuery(id ?? ''), enabled: signedIn && id !== undefined, refetchInterval: false });
  return (
    <Page
      above={<BackToWebhooksLink />}
      title="Check a signature"
      intro="Everything happens in this browser: what you paste is neither sent nor kept."
    >
      {globalThis.crypto?.subtle === undefined ? <NeedsHttps /> : <SignatureCheckForm payload={known.data?.payload} />}
      {known.data ? (
        <p className="mt-4 text-sm text-ink-3">
          Compared with what was sent: <code className="font-mono text-xs">{known.data.event_id}</code>
        </p>
      ) : null}
    </Page>
  );
}

function NeedsHttps() {
  return (
    <Callout tone="amber" title="This browser computes no signatures here">
      Browsers do so only over HTTPS or on localhost. Open the dashboard that way, or use the code that is shown with
      the secret.
    </Callout>
  );
}
