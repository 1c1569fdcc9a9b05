import { ENDPOINT_ROUTES } from '#contract/endpoint-routes.ts';
import { rememberPendingSignIn } from '#web/api/session/session-marker.ts';
import { buttonClass } from '#web/ui/button.tsx';
import { cx } from '#web/ui/cx.ts';

/** Leaves for the identity provider, which sends the browser back to `from`. */
export function OidcLink({ name, from, is_main }: { name: string; from: string; is_main: boolean }) {
  return (
    <a
      href={`${ENDPOINT_ROUTES.start_oidc_sign_in.path}?from=${encodeURIComponent(from)}`}
      className={cx(buttonClass({ variant: is_main ? 'primary' : 'secondary' }), 'w-full')}
      onClick={rememberPendingSignIn}
    >
      <span className="min-w-0 truncate">Continue with {name}</span>
    </a>
  );
}
