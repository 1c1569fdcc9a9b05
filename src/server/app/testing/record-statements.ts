import { Client } from 'pg';

export interface RecordedStatement {
  text: string;
  values: readonly unknown[];
}

/** Records the statements that this process sends to PostgreSQL, from connections that are opened later too. */
export function recordStatements(): { take(): RecordedStatement[]; stop(): void } {
  const prototype = Client.prototype as { query: (...query: unknown[]) => unknown };
  const { query } = prototype;
  let recorded: RecordedStatement[] = [];
  prototype.query = function record(this: unknown, config: unknown, ...rest: unknown[]) {
    const { text, values } = readQuery(config, rest[0]);
    if (text !== undefined) recorded.push({ text, values });
    return query.call(this, config, ...rest);
  };
  return {
    take() {
      const taken = recorded;
      recorded = [];
      return taken;
    },
    stop() {
      prototype.query = query;
    },
  };
}

function readQuery(config: unknown, values: unknown): { text: string | undefined; values: readonly unknown[] } {
  if (typeof config === 'string') return { text: config, values: Array.isArray(values) ? values : [] };
  if (typeof config !== 'object' || config === null || !('text' in config)) return { text: undefined, values: [] };
  const own = 'values' in config ? config.values : values;
  return { text: String(config.text), values: Array.isArray(own) ? own : Array.isArray(values) ? values : [] };
}
