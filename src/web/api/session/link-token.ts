import { createAtom, useSelector } from '@tanstack/react-store';

const PATHS = ['/sign-in', '/invitation', '/account'] as const;
type LinkPath = (typeof PATHS)[number];

const link = createAtom<{ path: LinkPath; token: string } | null>(null);

/**
 * Reads the one-time token of a link (such as `/sign-in#token=…`) and removes it from the address and
 * the history, also when the link is opened where this page is open already. Call before anything else runs: the router
 * would copy the fragment.
 */
export function watchUrlForToken(): void {
  readTokenFromUrl();
  window.addEventListener('hashchange', readTokenFromUrl);
}

function readTokenFromUrl(): void {
  const { pathname, search, hash } = window.location;
  const token = /^#token=(.+)$/.exec(hash)?.[1];
  const path = PATHS.find((each) => each === pathname);
  if (path === undefined || token === undefined) return;
  window.history.replaceState(null, '', pathname + search);
  link.set({ path, token });
}

export const useLinkToken = (path: LinkPath): string | null =>
  useSelector(link, (value) => (value?.path === path ? value.token : null));

export const clearLinkToken = (): void => link.set(null);
