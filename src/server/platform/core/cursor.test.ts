import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { issueCursor, verifyCursor, type CursorScope } from './cursor.ts';
import { createSecrets } from './secrets.ts';

const secrets = createSecrets('a secret of the tests');
const scope: CursorScope = { organization_id: 'org_a', list: 'ledger' };

it('returns the position of a cursor', () => {
  fc.assert(
    fc.property(
      fc.string(),
      (position) => verifyCursor(secrets, scope, issueCursor(secrets, scope, position)) === position,
    ),
  );
});

it('rejects a cursor of another list, organization or installation', () => {
  const cursor = issueCursor(secrets, scope, '17');
  expect(verifyCursor(secrets, { ...scope, list: 'uploads' }, cursor)).toBeNull();
  expect(verifyCursor(secrets, { ...scope, organization_id: 'org_b' }, cursor)).toBeNull();
  expect(verifyCursor(createSecrets('another secret of the tests'), scope, cursor)).toBeNull();
});

it('rejects a forged or modified cursor', () => {
  const cursor = issueCursor(secrets, scope, '17');
  fc.assert(fc.property(fc.string(), (text) => text === cursor || verifyCursor(secrets, scope, text) === null));
  fc.assert(
    fc.property(fc.nat(cursor.length - 1), fc.constantFrom('A', '.', '=', ' ', '0'), (at, char) => {
      const changed = cursor.slice(0, at) + char + cursor.slice(at + 1);
      return changed === cursor || verifyCursor(secrets, scope, changed) === null;
    }),
  );
  expect(verifyCursor(secrets, scope, `${cursor}.`)).toBeNull();
});
