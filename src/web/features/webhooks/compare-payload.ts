interface PayloadComparison {
  /** Describes the first difference; null if the content is the same. */
  difference: string | null;
  /** The sent body with the links of the pasted one, because links are renewed for each attempt. */
  sent: string;
}

/** Compares a pasted body with the payload of its delivery. Ignores links, which are renewed for each attempt. */
export function comparePayload(body: string, payload: object): PayloadComparison {
  const pasted = tryParseJson(body);
  if (pasted === undefined) return { difference: 'Not valid JSON.', sent: JSON.stringify(payload) };
  return { difference: firstDifference(payload, pasted, ''), sent: JSON.stringify(restoreLinks(payload, pasted)) };
}

const LINK_KEYS: ReadonlySet<string> = new Set(['url', 'expires_at']);

function tryParseJson(body: string): unknown {
  try {
    return JSON.parse(body) as unknown;
  } catch {
    return undefined;
  }
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
const propertyOf = (value: unknown, key: string) =>
  isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;

function firstDifference(sent: unknown, pasted: unknown, path: string): string | null {
  if (isObject(sent) && isObject(pasted) && Array.isArray(sent) === Array.isArray(pasted)) {
    for (const key of new Set([...Object.keys(sent), ...Object.keys(pasted)])) {
      const [before, after] = [propertyOf(sent, key), propertyOf(pasted, key)];
      if (LINK_KEYS.has(key) && typeof before === 'string' && typeof after === 'string') continue;
      const difference = firstDifference(before, after, path === '' ? key : `${path}.${key}`);
      if (difference !== null) return difference;
    }
    return null;
  }
  if (sent === pasted) return null;
  if (path === '') return 'Not a JSON object.';
  if (pasted === undefined) return `${path} is missing.`;
  if (sent === undefined) return `${path} was not sent.`;
  return `${path} was sent as ${formatValue(sent)}, and is ${formatValue(pasted)} here.`;
}

const MAX_SHOWN_LENGTH = 60;

function formatValue(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > MAX_SHOWN_LENGTH ? `${text.slice(0, MAX_SHOWN_LENGTH)}…` : text;
}

function restoreLinks(sent: unknown, pasted: unknown): unknown {
  if (Array.isArray(sent)) return sent.map((item, at) => restoreLinks(item, propertyOf(pasted, String(at))));
  if (!isObject(sent)) return sent;
  return Object.fromEntries(
    Object.entries(sent).map(([key, value]) => {
      const other = propertyOf(pasted, key);
      const link = LINK_KEYS.has(key) && typeof value === 'string' && typeof other === 'string';
      return [key, link ? other : restoreLinks(value, other)];
    }),
  );
}
