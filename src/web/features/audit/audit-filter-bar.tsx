import { AUDIT_GROUPS } from '#contract/audit-actions.ts';
import type { AuditEvent } from '#contract/resources/audit-event.ts';
import { DateRangeSelect } from '#web/ui/day-range-select.tsx';
import { AppliedFilters } from '#web/ui/filter-menu.tsx';
import { Select } from '#web/ui/select.tsx';
import { AUDIT_GROUP_LABELS } from './audit-sentence.ts';
import type { AuditSearch } from './audit-search.ts';

interface AuditFilterBarProps {
  search: AuditSearch;
  /** The loaded events, whose actors can be chosen. */
  events: readonly AuditEvent[];
  onChange: (change: Partial<AuditSearch>) => void;
}

const ALL = 'all';
const groupOptions = AUDIT_GROUPS.map((value) => ({ value: value as string, label: AUDIT_GROUP_LABELS[value] })).sort(
  (a, b) => a.label.localeCompare(b.label),
);

export function AuditFilterBar({ search, events, onChange }: AuditFilterBarProps) {
  const { about, actor, target, from, to } = search;
  const actors = new Map(events.flatMap(({ actor: { id, name } }) => (id === null ? [] : [[id, name] as const])));
  if (actor !== undefined && !actors.has(actor)) actors.set(actor, `…${actor.slice(-6)}`);
  return (
    <div className="mb-4 flex flex-wrap items-start gap-3">
      <Select
        aria-label="About"
        className="sm:w-48"
        value={about ?? ALL}
        options={[{ value: ALL, label: 'All changes' }, ...groupOptions]}
        onChange={(value) => onChange({ about: value === ALL ? undefined : value })}
      />
      <Select
        aria-label="By"
        className="sm:w-48"
        value={actor ?? ALL}
        options={[{ value: ALL, label: 'Anyone' }, ...Array.from(actors, ([value, label]) => ({ value, label }))]}
        onChange={(value) => onChange({ actor: value === ALL ? undefined : value })}
      />
      <DateRangeSelect from={from} to={to} onChange={onChange} className="max-sm:w-full sm:w-48" />
      <AppliedFilters
        filters={[
          {
            label: target === undefined ? undefined : `Changed: …${target.slice(-6)}`,
            onRemove: () => onChange({ target: undefined }),
          },
        ]}
      />
    </div>
  );
}
