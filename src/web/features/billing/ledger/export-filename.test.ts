import { expect, it } from 'vitest';
import { exportFilename } from './export-filename.ts';

const key = 'key_01m4abcdefghjkmnpqrstvwxyz';

it.each([
  [{}, undefined, 'ledger-all.csv'],
  [{ from: '2026-11-13', to: '2026-11-13', key }, 'Ana Silva', 'ledger-2026-11-13-to-2026-11-13-ana-silva.csv'],
  [{ to: '2026-11-13', key }, ' Zoë/../“CI”\u202E ', 'ledger-start-to-2026-11-13-zoë-ci.csv'],
  [{ key }, undefined, 'ledger-all-key-tvwxyz.csv'],
  [{ key }, '///', 'ledger-all-key-tvwxyz.csv'],
  [{ type: 'SETTLE', task: 'image.create', entry: 500 }, undefined, 'ledger-all-settle-image.create-entry-500.csv'],
  [{ q: '$0.04 / red fox' }, undefined, 'ledger-all-search-0-04-red-fox.csv'],
] as const)('builds the file name from filters %j and key name %j', (search, name, file) => {
  expect(exportFilename(search, name)).toBe(file);
});
