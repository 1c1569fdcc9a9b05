import { useQuery } from '@tanstack/react-query';
import type { Me } from '#contract/resources/api-key.ts';
import { meQuery } from './me.ts';

export const EVERYBODY = 'everybody';

export interface PersonChoice {
  /** Whose work is shown: `everybody` or the id of a person. */
  value: string;
  /** The value of an address without one. */
  initial: string;
  /** Who is signed in; null: a program. */
  ownId: string | null;
  /** `person_id` of the query; undefined: everybody's work. */
  person_id: string | undefined;
  /** The list shows one's own work because nothing else was chosen. */
  isOwnByDefault: boolean;
  /** false: the service shows only one's own work, so there is nothing to choose. */
  isOffered: boolean;
}

export interface PersonFilter extends PersonChoice {
  /** false: who is signed in is not known yet, and with it whose work comes first. */
  isReady: boolean;
}

/**
 * Decides whose work a list shows. Members begin with their own, all others with everybody's.
 * @param me undefined: not known yet
 * @param chosen the search parameter `person`: `everybody` or the id of a person
 */
export function choosePerson(
  me: Pick<Me, 'person' | 'sees_own_work_only'> | undefined,
  chosen: string | undefined,
): PersonChoice {
  const isOffered = me !== undefined && !me.sees_own_work_only;
  const initial = isOffered && me.person?.role === 'member' ? me.person.id : EVERYBODY;
  const value = me?.sees_own_work_only ? EVERYBODY : (chosen ?? initial);
  return {
    value,
    initial,
    ownId: me?.person?.id ?? null,
    person_id: value === EVERYBODY ? undefined : value,
    isOwnByDefault: value === initial && initial !== EVERYBODY,
    isOffered,
  };
}

/** Whose work a list shows; see `choosePerson`. */
export function usePersonFilter(chosen: string | undefined): PersonFilter {
  const { data: me, failureCount, fetchStatus } = useQuery(meQuery);
  return {
    ...choosePerson(me, chosen),
    // A list must not wait for what cannot be loaded: it then fails itself, and says so.
    isReady: chosen !== undefined || me !== undefined || failureCount > 0 || fetchStatus === 'paused',
  };
}
