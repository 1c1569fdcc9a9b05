import type { LedgerSearch } from './ledger-search.ts';

/** Turns "Ana Silva" into "ana-silva". Letters of every script are kept. */
const slug = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-|-$/g, '')
    .slice(0, 40);

/**
 * Names an export by its filters: "ledger-2026-11-01-to-2026-11-30-settle-ana-silva.csv".
 * @param keyName of the filtered key, if it is loaded
 */
export function exportFilename(search: LedgerSearch, keyName = ''): string {
  const { type, from, to, task, model, key, generation, run, entry, q } = search;
  const span = from || to ? `${from ?? 'start'}-to-${to ?? 'now'}` : 'all';
  const keyPart = key && (slug(keyName) || `key-${key.slice(-6)}`);
  const filters = [
    type?.toLowerCase(),
    task,
    model,
    keyPart,
    generation,
    run,
    entry && `entry-${entry}`,
    q && `search-${slug(q)}`,
  ].filter(Boolean);
  return `${['ledger', span, ...filters].join('-')}.csv`;
}
