import type { ClientBase } from 'pg';

/**
 * What statements depend on and a database, role or server may set otherwise. `search_path` names the schema of the
 * migrations; statements are limited by their client.
 */
const SETTINGS: Readonly<Record<string, string>> = {
  search_path: 'public',
  datestyle: 'ISO, MDY',
  intervalstyle: 'postgres',
  timezone: 'UTC',
  bytea_output: 'hex',
  extra_float_digits: '1',
  standard_conforming_strings: 'on',
  transform_null_equals: 'off',
  default_transaction_isolation: 'read committed',
  default_transaction_deferrable: 'off',
  // The server releases the locks of a process that it can no longer reach.
  idle_in_transaction_session_timeout: '20s',
  // Compiling a list's query takes longer than running it.
  jit: 'off',
};

interface SessionLimits {
  /** 0: a statement waits for a lock until its timeout. */
  lockTimeoutMs: number;
}

const formatSettings = (command: 'set' | 'set local', settings: Readonly<Record<string, string | number>>): string =>
  Object.entries(settings)
    .map(([name, value]) => `${command} ${name} = '${value}'`)
    .join('; ');

/** Sets up a connection that is the client's own until it ends. */
export async function setUpSession(client: ClientBase, { lockTimeoutMs }: SessionLimits): Promise<void> {
  const settings = { ...SETTINGS, idle_session_timeout: 0, statement_timeout: 0, lock_timeout: lockTimeoutMs };
  // The server stops statements whose client has closed the connection; not every platform offers that.
  await client.query(`${formatSettings('set', settings)};
    do $$ begin
      perform set_config('client_connection_check_interval', '2s', false);
    exception when others then null;
    end $$`);
}

const BEGIN = /^\s*begin\b[^;]*/i;
/** Statements of a pooler's client; all others are scripts with transactions of their own, or can't run in one. */
const ALONE = /^\s*(?:select|insert|update|delete|with)\b/i;

/**
 * Sets up each transaction on a connection whose transactions a pooler spreads over sessions of the server, which
 * others use too. A statement outside of a transaction gets its own.
 */
export function setUpTransactions(
  client: ClientBase,
  { lockTimeoutMs, timeoutMs }: SessionLimits & { timeoutMs: () => number },
): void {
  const send = client.query.bind(client) as (...query: unknown[]) => Promise<unknown>;
  const begin = (text: string): string => {
    const isolation = /\bisolation\b/i.test(text) ? '' : ' isolation level read committed';
    const limits = { statement_timeout: timeoutMs(), lock_timeout: lockTimeoutMs };
    return `${text}${isolation}; ${formatSettings('set local', { ...SETTINGS, ...limits })}`;
  };
  const sendAlone = async (query: unknown[]): Promise<unknown> => {
    await send(begin('begin'));
    try {
      const result = await send(...query);
      await send('commit');
      return result;
    } catch (error) {
      await send('rollback');
      throw error;
    }
  };
  const sendSetUp = ([config, ...rest]: unknown[]): Promise<unknown> => {
    const text = textOf(config);
    if (BEGIN.test(text)) return send(withText(config, text.replace(BEGIN, begin)), ...rest);
    return client.getTransactionStatus() === 'I' && ALONE.test(text)
      ? sendAlone([config, ...rest])
      : send(config, ...rest);
  };
  client.query = ((...query: unknown[]) => sendSetUp(query)) as typeof client.query;
}

function textOf(config: unknown): string {
  if (typeof config === 'string') return config;
  return typeof config === 'object' && config !== null && 'text' in config ? String(config.text) : '';
}

const withText = (config: unknown, text: string): unknown =>
  typeof config === 'object' && config !== null ? { ...config, text } : text;
