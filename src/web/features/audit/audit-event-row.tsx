import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { AuditEvent } from '#contract/resources/audit-event.ts';
import { useEveryone } from '#web/api/queries/people.ts';
import { Disclosure } from '#web/ui/controls/disclosure.tsx';
import { PersonName } from '#web/ui/display/person-name.tsx';
import { RelativeTime } from '#web/ui/display/relative-time.tsx';
import type { AuditRow } from './group-exports.ts';
import { describeAuditEvent, withCurrentNames } from './audit-sentence.ts';
import { changedFields } from './describe-changes.ts';

export function AuditEventRow({ row: recorded }: { row: AuditRow }) {
  const everyone = useEveryone();
  const names = useMemo(() => new Map(everyone.map(({ id, name }) => [id, name])), [everyone]);
  const event = withCurrentNames(recorded, names);
  const oldest = recorded.repeats.at(-1);
  const { actor, address, created_at, target, before, after, seq, hash } = event;
  return (
    <div className="px-3 py-2">
      <Disclosure
        summary={
          <span className="flex flex-wrap items-center gap-x-1.5 gap-y-0.5 font-normal">
            <PersonName
              id={actor.id ?? actor.type}
              name={actor.name}
              isProgram={actor.type !== 'person'}
              className="font-medium text-ink"
            />
            <span className="min-w-0 wrap-anywhere">
              {describeAuditEvent(event)}
              {oldest ? <span className="text-ink-3"> · {recorded.repeats.length + 1} times</span> : null}
            </span>
          </span>
        }
        aside={<RelativeTime at={created_at} className="text-ink-3" />}
      >
        <dl className="grid gap-x-4 gap-y-1 text-sm sm:grid-cols-[auto_minmax(0,1fr)]">
          {actor.name === recorded.actor.name ? null : <Detail name="Name then">{recorded.actor.name}</Detail>}
          <Detail name="From">{address ?? 'This server'}</Detail>
          <Detail name="Event">
            #{seq} · <span className="font-mono text-xs">{hash}</span>
            {oldest ? `, and ${recorded.repeats.length} equal before it, from #${oldest.seq}` : ''}
          </Detail>
          {target.id === null ? null : (
            <Detail name="Changed">
              <Link to="/audit" search={{ target: target.id }} className="underline underline-offset-2 hover:text-ink">
                All changes of <bdi>{target.name ?? target.id}</bdi>
              </Link>
            </Detail>
          )}
        </dl>
        <Changes before={before} after={after} />
      </Disclosure>
    </div>
  );
}

function Detail({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <>
      <dt className="text-ink-3">{name}</dt>
      <dd className="min-w-0 wrap-anywhere text-ink-2 max-sm:mb-1">{children}</dd>
    </>
  );
}

/** A table of the fields that differ. Renders nothing if the event has none. */
function Changes({ before, after }: Pick<AuditEvent, 'before' | 'after'>) {
  const names = changedFields({ before, after });
  if (names.length === 0) return null;
  return (
    <table className="mt-2 w-full table-fixed text-left text-sm">
      <thead className="text-ink-3">
        <tr>
          <th className="w-1/4 pr-3 font-normal">Field</th>
          {before ? <th className="pr-3 font-normal">Before</th> : null}
          <th className="font-normal">{before ? 'After' : 'Value'}</th>
        </tr>
      </thead>
      <tbody>
        {names.map((name) => (
          <tr key={name} className="align-top">
            <th className="pr-3 font-normal wrap-anywhere text-ink-2">{name.replaceAll('_', ' ')}</th>
            {before ? <td className="pr-3 wrap-anywhere">{formatValue(before[name])}</td> : null}
            <td className="wrap-anywhere">{formatValue(after?.[name])}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const formatValue = (value: unknown): string => {
  if (value === undefined || value === null) return '–';
  return typeof value === 'string' ? value : JSON.stringify(value);
};
