/** A path of this app to come back to after signing in; anything else (other sites, the sign-in page) becomes "/". */
export function returnPath(given: unknown): string {
  if (typeof given !== 'string' || !/^\/(?![/\\])[\x21-\x7e]*$/.test(given)) return '/';
  const { pathname, search, hash, origin } = new URL(given, 'https://app.invalid');
  if (origin !== 'https://app.invalid' || pathname === '/sign-in') return '/';
  return pathname + search + hash;
}
