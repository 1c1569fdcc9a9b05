import { createAtom, useSelector } from '@tanstack/react-store';

const linkToken = createAtom<string | null>(null);

/**
 * Reads the one-time token of a sign-in link (`/sign-in#token=…`) and removes it from the address and the history, also
 * when the link is opened where this page is open already. Call before anything else runs: the router would copy the
 * fragment.
 */
export function watchUrlForToken(): void {
  readTokenFromUrl();
  window.addEventListener('hashchange', readTokenFromUrl);
}

function readTokenFromUrl(): void {
  const match = /^#token=(.+)$/.exec(window.location.hash);
  if (window.location.pathname !== '/sign-in' || !match?.[1]) return;
  window.history.replaceState(null, '', window.location.pathname + window.location.search);
  linkToken.set(match[1]);
}

export const useLinkToken = (): string | null => useSelector(linkToken);

export const clearLinkToken = (): void => linkToken.set(null);
