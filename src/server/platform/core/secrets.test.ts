import { expect, it } from 'vitest';
import { createSecrets } from './secrets.ts';

const OLD = 'the first key of this ring';
const NEW = 'the second key of this ring';

it('verifies and decrypts with earlier keys, and signs and encrypts with the newest', () => {
  const before = createSecrets(OLD);
  const ring = createSecrets(NEW, [OLD]);
  const after = createSecrets(NEW);
  const signature = before.sign('media-link', 'x');
  expect(ring.verify('media-link', 'x', signature)).toBe(true);
  expect(ring.verify('media-link', 'y', signature)).toBe(false);
  expect(ring.verify('archive-link', 'x', signature)).toBe(false);
  expect(after.verify('media-link', 'x', signature)).toBe(false);
  expect(after.verify('media-link', 'x', ring.sign('media-link', 'x'))).toBe(true);
  expect(ring.signWithEach('session', 'x')).toEqual([after.sign('session', 'x'), before.sign('session', 'x')]);

  const sealed = before.encrypt('provider-key', 'con_a', 'sk-1');
  expect(ring.decrypt('provider-key', 'con_a', sealed)).toBe('sk-1');
  expect(ring.decrypt('provider-key', 'con_b', sealed)).toBeNull();
  expect(ring.isCurrent('provider-key', 'con_a', sealed)).toBe(false);
  expect(after.decrypt('provider-key', 'con_a', sealed)).toBeNull();
  const rotated = ring.encrypt('provider-key', 'con_a', 'sk-1');
  expect(after.decrypt('provider-key', 'con_a', rotated)).toBe('sk-1');
  expect(ring.isCurrent('provider-key', 'con_a', rotated)).toBe(true);
});
