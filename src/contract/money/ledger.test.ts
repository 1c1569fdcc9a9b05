import { expect, it } from 'vitest';
import { formatLedgerHead, parseLedgerHead } from './ledger.ts';

const hash = '4af4'.repeat(16);
const head = { seq: 1185, hash };

it.each([formatLedgerHead(head), `1185:${hash}`, `1185 ${hash}`, `  1185\t${hash.toUpperCase()}\n`, `1185 : ${hash}`])(
  'reads %j as number and hash',
  (text) => expect(parseLedgerHead(text)).toEqual(head),
);

it.each(['', '1185', hash, `0:${hash}`, `1185${hash}`, `1185:${hash}0`, `1185:${hash.slice(1)}`, `1185;${hash}`])(
  'rejects %j',
  (text) => expect(parseLedgerHead(text)).toBeNull(),
);
