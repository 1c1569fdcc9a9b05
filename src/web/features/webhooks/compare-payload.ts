/** A pasted body beside what was sent. */
export interface Comparison {
  /** The first place where they part, in words; null where they say the same. */
  difference: string | null;
  /** What was sent, with the links of the pasted body: those are made anew for each attempt. */
  sent: string;
}

/**
 * Compares a body with the payload of its delivery, which the service tells; links are left out of it.
 * @param payload as the service tells it
 */
export function comparePayload(body: string, payload: object): Comparison {
  const pasted = parse(body);
  if (pasted === undefined)
    return { difference: 'It is no JSON, and what was sent is.', sent: JSON.stringify(payload) };
  return { difference: firstDifference(payload, pasted, ''), sent: JSON.stringify(withLinks(payload, pasted)) };
}

const LINKS: ReadonlySet<string> = new Set(['url', 'expires_at']);

function parse(body: string): unknown {
  try {
    return JSON.parse(body) as unknown;
  } catch {
    return undefined;
  }
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
const memberOf = (value: unknown, key: string) =>
  isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;

function firstDifference(sent: unknown, pasted: unknown, path: string): string | null {
  if (isObject(sent) && isObject(pasted) && Array.isArray(sent) === Array.isArray(pasted)) {
    for (const key of new Set([...Object.keys(sent), ...Object.keys(pasted)])) {
      const [before, after] = [memberOf(sent, key), memberOf(pasted, key)];
      if (LINKS.has(key) && typeof before === 'string' && typeof after === 'string') continue;
      const found = firstDifference(before, after, path === '' ? key : `${path}.${key}`);
      if (found !== null) return found;
    }
    return null;
  }
  if (sent === pasted) return null;
  if (path === '') return 'It is no object, and what was sent is.';
  if (pasted === undefined) return `It lacks ${path}, which was sent.`;
  if (sent === undefined) return `It holds ${path}, which was not sent.`;
  return `It was changed: ${path} was sent as ${shown(sent)}, and is ${shown(pasted)} here.`;
}

const LONGEST = 60;

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}

function withLinks(sent: unknown, pasted: unknown): unknown {
  if (Array.isArray(sent)) return sent.map((item, at) => withLinks(item, memberOf(pasted, String(at))));
  if (!isObject(sent)) return sent;
  return Object.fromEntries(
    Object.entries(sent).map(([key, value]) => {
      const other = memberOf(pasted, key);
      const link = LINKS.has(key) && typeof value === 'string' && typeof other === 'string';
      return [key, link ? other : withLinks(value, other)];
    }),
  );
}
