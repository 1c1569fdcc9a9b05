let linkKey: string | null = null;

/**
 * Takes the key out of a one-time link (`/sign-in#key=…`) and at once out of the address and the history entry. Call
 * before anything else runs: the router would otherwise copy the fragment along.
 */
export function takeKeyFromAddress(): void {
  const match = /^#key=(.+)$/.exec(window.location.hash);
  if (window.location.pathname !== '/sign-in' || !match?.[1]) return;
  window.history.replaceState(null, '', window.location.pathname + window.location.search);
  try {
    linkKey = decodeURIComponent(match[1]);
  } catch {
    linkKey = match[1];
  }
}

/** The key that came with the link, until it is used or dropped. */
export function readLinkKey(): string | null {
  return linkKey;
}

export function dropLinkKey(): void {
  linkKey = null;
}

/** "mgs_org_••••••••k3Qx": enough to recognise a key, not enough to use it. */
export function maskKey(key: string): string {
  const kind = /^[a-z]+_[a-z]+_/.exec(key)?.[0] ?? '';
  return `${kind}••••••••${key.length > kind.length + 12 ? key.slice(-4) : ''}`;
}
