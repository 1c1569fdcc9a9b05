import { describe, expect, it } from 'vitest';
import { choosePerson } from './use-person-filter.ts';

const signedIn = (role: 'administrator' | 'member' | 'auditor' | 'viewer', sees_own_work_only = false) => ({
  person: { id: 'per_me', name: 'Mia', email: null, role },
  sees_own_work_only,
});

describe('whose work a list shows', () => {
  it('is a member’s own until they choose, without a word in the address', () => {
    expect(choosePerson(signedIn('member'), undefined)).toMatchObject({
      person_id: 'per_me',
      initial: 'per_me',
      isOwnByDefault: true,
      isOffered: true,
    });
    expect(choosePerson(signedIn('member'), 'everybody')).toMatchObject({
      person_id: undefined,
      isOwnByDefault: false,
    });
    expect(choosePerson(signedIn('member'), 'per_other').person_id).toBe('per_other');
  });

  it.each(['administrator', 'auditor', 'viewer'] as const)('is everybody’s for the role %s', (role) => {
    expect(choosePerson(signedIn(role), undefined)).toMatchObject({
      person_id: undefined,
      ownId: 'per_me',
      isOwnByDefault: false,
      isOffered: true,
    });
    expect(choosePerson(signedIn(role), 'per_me')).toMatchObject({ person_id: 'per_me', isOwnByDefault: false });
  });

  it('is everybody’s for a program, which has no work of “me”', () => {
    expect(choosePerson({ person: null, sees_own_work_only: false }, undefined)).toMatchObject({
      person_id: undefined,
      ownId: null,
    });
  });

  it('is not to be chosen where members see only their own work', () => {
    expect(choosePerson(signedIn('member', true), 'per_other')).toMatchObject({
      person_id: undefined,
      isOwnByDefault: false,
      isOffered: false,
    });
  });
});
