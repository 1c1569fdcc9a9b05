import type { LedgerSearch } from './ledger-search.ts';

/** "Ana Silva" → "ana-silva"; letters of every script stay. */
const slug = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 40);

/**
 * File name of an export: "ledger 2026-11-01 to 2026-11-30 settle ana-silva.csv".
 * @param keyReference of the key in the address, as far as it is known
 */
export function exportFilename(search: LedgerSearch, keyName = ''): string {
  const { type, from, to, task, model, key, generation, run, entry } = search;
  const span = from || to ? `${from ?? 'start'} to ${to ?? 'now'}` : 'all';
  const whose = key && (slug(keyName) || `key …${key.slice(-6)}`);
  const filters = [type?.toLowerCase(), task, model, whose, generation, run, entry && `entry ${entry}`].filter(Boolean);
  return `${['ledger', span, ...filters].join(' ')}.csv`;
}
