/** Returns a path of this app to return to after signing in; "/" for other sites and the pages that sign in. */
export function returnPath(given: unknown): string {
  if (typeof given !== 'string' || !/^\/(?![/\\])[\x21-\x7e]*$/.test(given)) return '/';
  const { pathname, search, hash, origin } = new URL(given, 'https://app.invalid');
  if (origin !== 'https://app.invalid' || pathname === '/sign-in' || pathname === '/invitation') return '/';
  return pathname + search + hash;
}
