import { useQuery } from '@tanstack/react-query';
import { AUDIT_GROUPS } from '#contract/audit-actions.ts';
import type { Creator } from '#contract/primitives.ts';
import { Avatar } from '#web/ui/display/avatar.tsx';
import { cx } from '#web/ui/cx.ts';
import { parseOption } from '#web/ui/search-params.ts';
import { PersonName } from '#web/ui/display/person-name.tsx';
import { meQuery } from '#web/api/queries/me.ts';
import { useHasSeveralPeople } from '#web/api/queries/people.ts';
import { Link } from '@tanstack/react-router';
import type { AuditEvent } from '#contract/resources/audit-event.ts';
import { RelativeTime } from '#web/ui/display/relative-time.tsx';

export interface CreatorIdentity {
  /** Of the person, or of the key of a program. */
  id: string;
  name: string;
  isProgram: boolean;
}

/** Returns whom work belongs to: the person, whichever of their keys they used, or else the program. */
export const identifyCreator = ({ id, name, person }: Creator): CreatorIdentity =>
  person ? { ...person, isProgram: false } : { id, name, isProgram: person === null };

interface RowCreatorProps {
  /** undefined: the service does not say. */
  created_by: Creator | undefined;
  /** Shows the avatar alone, in wide containers too. */
  isCompact?: boolean;
  className?: string;
}

/** Shows beside work in a list who made it: the avatar, and the name where the container is wide. */
export function RowCreator({ created_by, isCompact = false, className }: RowCreatorProps) {
  const isShown = useHasSeveralPeople();
  if (!created_by || !isShown) return null;
  const creator = identifyCreator(created_by);
  return (
    <span
      data-tooltip={`Made by ${creator.name}`}
      className={cx('inline-flex max-w-full min-w-0 items-center gap-1.5', className)}
    >
      <Avatar {...creator} size="xs" />
      <span className={cx('truncate text-xs', isCompact ? 'sr-only' : '@max-3xl:sr-only')}>
        <span className="aloud">Made by </span>
        <bdi>{creator.name}</bdi>
      </span>
    </span>
  );
}

/** Returns the row of a list of details that names who made something; none where that says nothing. */
export function useCreatorFact(createdBy: Creator | undefined) {
  const isShown = useHasSeveralPeople();
  const { data: me } = useQuery(meQuery);
  if (!createdBy || (!isShown && createdBy.id === me?.key.id)) return [];
  return [{ name: 'Made by', value: <CreatorDetail created_by={createdBy} /> }];
}

function CreatorDetail({ created_by }: { created_by: Creator }) {
  const creator = identifyCreator(created_by);
  const keyName = created_by.person && created_by.name !== created_by.person.name ? created_by.name : null;
  return (
    <>
      <PersonName {...creator} />
      {keyName === null ? null : (
        <span className="block text-xs text-ink-3">
          With the key “<bdi>{keyName}</bdi>”
        </span>
      )}
    </>
  );
}

interface ChangedByProps {
  /** The newest change; undefined: not known, or not to be shown. */
  change: AuditEvent | undefined;
  className?: string;
}

const FIRST_ACTION = /\.(?:created|connected)$/;

/** Says who changed something last, and leads to all of its changes. Renders nothing where that is not known. */
export function ChangedBy({ change, className }: ChangedByProps) {
  if (!change || change.target.id === null) return null;
  const { action, actor, created_at, target } = change;
  return (
    <p className={cx('min-w-0 text-xs text-ink-3', className)}>
      <Link
        to="/audit"
        search={{ target: target.id ?? undefined, about: parseOption(AUDIT_GROUPS, action.split('.')[0]) }}
        className="relative z-1 inline-flex max-w-full flex-wrap items-center gap-x-1 rounded-xs hover:text-ink hover:underline"
      >
        <span className="flex-none">{FIRST_ACTION.test(action) ? 'Created' : 'Changed'} by </span>
        <PersonName size="xs" id={actor.id ?? actor.type} name={actor.name} isProgram={actor.type !== 'person'} />
        <RelativeTime at={created_at} className="flex-none" />
      </Link>
    </p>
  );
}
