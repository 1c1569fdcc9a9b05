const LABEL_FIELDS = ['name', 'title', 'caption', 'label', 'text', 'prompt', 'query'];
const MAX_LENGTH = 80;

/** A few words that tell an item of a list from the others; null where it has none. */
export function itemLabel(item: unknown): string | null {
  if (typeof item === 'string') return shorten(item);
  if (typeof item === 'number') return String(item);
  if (typeof item !== 'object' || item === null) return null;
  const values = LABEL_FIELDS.map((name): unknown => Reflect.get(item, name));
  const found = values.find((value) => typeof value === 'string' && value.trim() !== '');
  return typeof found === 'string' ? shorten(found) : null;
}

function shorten(text: string): string | null {
  const line = text.trim().replaceAll(/\s+/g, ' ');
  if (line === '') return null;
  const points = [...line];
  return points.length > MAX_LENGTH ? `${points.slice(0, MAX_LENGTH - 1).join('')}…` : line;
}
