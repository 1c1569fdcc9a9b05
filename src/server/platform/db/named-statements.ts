/** PostgreSQL parses and plans a named statement once per connection. Planning some writes takes longer than running them. */
const MAX_NAMES = 200;
const MAX_CANDIDATES = 500;
/** Writes, also those in a CTE. Lists have many optional filters: one plan for all of their values may be slow. */
const NAMEABLE = /^\s*(?:insert|update|with \S+ as \(\s*insert)\b/i;

const names = new Map<string, string>();
const candidates = new Set<string>();

/**
 * Names statements that write, from their second use on.
 * @param query arguments of the `query` method of pg
 */
export function nameStatement([config, ...rest]: readonly unknown[]): unknown[] {
  if (typeof config !== 'object' || config === null || !('text' in config) || 'name' in config)
    return [config, ...rest];
  const name = typeof config.text === 'string' ? nameOf(config.text) : undefined;
  return [name === undefined ? config : { ...config, name }, ...rest];
}

function nameOf(text: string): string | undefined {
  const known = names.get(text);
  if (known !== undefined || names.size >= MAX_NAMES) return known;
  if (!candidates.has(text)) {
    // Statements of varying length must not grow the set without limit.
    if (candidates.size >= MAX_CANDIDATES) candidates.clear();
    if (NAMEABLE.test(text)) candidates.add(text);
    return undefined;
  }
  candidates.delete(text);
  const name = `statement_${names.size + 1}`;
  names.set(text, name);
  return name;
}
