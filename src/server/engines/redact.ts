const MAX_LENGTH = 400;
/** Enough for a sentence after whatever is taken out. Secrets are taken out before, so that none is cut in two. */
const MAX_READ_LENGTH = 20_000;

/**
 * Makes another service's words fit for a person and a log: one line, at most 400 characters, no control characters,
 * none of the secrets, and no query of an address, which may be its signature.
 */
export function createRedactor(secrets: readonly string[]): (text: string) => string {
  const long_first = secrets.filter((secret) => secret !== '').sort((one, other) => other.length - one.length);
  return (text) => {
    let clean = long_first.reduce((left, secret) => left.replaceAll(secret, '•••'), text).slice(0, MAX_READ_LENGTH);
    clean = clean.replace(/([a-z][a-z0-9+.-]*:\/\/[^\s"'<>?#]*)[?#][^\s"'<>]*/gi, '$1');
    clean = clean.replace(/\bdata:[^\s"'<>]{64,}/gi, 'data:…');
    clean = clean
      .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')
      .replace(/\s+/g, ' ')
      .trim();
    return clean.length > MAX_LENGTH ? `${clean.slice(0, MAX_LENGTH - 1)}…` : clean;
  };
}
