import { Link } from '@tanstack/react-router';
import type { AuditEvent } from '#contract/resources/audit-event.ts';
import { cx } from '#web/ui/cx.ts';
import { PersonName } from '#web/ui/person-name.tsx';
import { RelativeTime } from '#web/ui/relative-time.tsx';

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
        search={{ target: target.id ?? undefined, about: action.split('.')[0] }}
        className="relative z-1 inline-flex max-w-full flex-wrap items-center gap-x-1 rounded-xs hover:text-ink hover:underline"
      >
        <span className="flex-none">{FIRST_ACTION.test(action) ? 'Created' : 'Changed'} by </span>
        <PersonName size="xs" id={actor.id ?? actor.type} name={actor.name} is_program={actor.type !== 'person'} />
        <RelativeTime at={created_at} className="flex-none" />
      </Link>
    </p>
  );
}
