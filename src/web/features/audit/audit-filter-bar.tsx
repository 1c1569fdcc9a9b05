import { AUDIT_GROUPS, type AuditGroup } from '#contract/audit-actions.ts';
import type { AuditEvent } from '#contract/resources/audit-event.ts';
import { DateRangeSelect } from '#web/ui/day-range-select.tsx';
import { AppliedFilters } from '#web/ui/filter-menu.tsx';
import { Select } from '#web/ui/select.tsx';
import type { AuditSearch } from './audit-search.ts';

interface AuditFilterBarProps {
  search: AuditSearch;
  /** The loaded events, newest first, whose keys can be chosen. */
  events: readonly AuditEvent[];
  /** Current names of everyone, who can be chosen. */
  names: ReadonlyMap<string, string>;
  onChange: (change: Partial<AuditSearch>) => void;
}

const AUDIT_GROUP_LABELS = {
  sign_in: 'Sign-ins',
  session: 'Sessions',
  person: 'People',
  invitation: 'Invitations',
  passkey: 'Passkeys',
  key: 'Keys',
  budget: 'Budgets',
  request: 'Requests',
  credit: 'Credits',
  refund: 'Refunds',
  review: 'Reviews',
  provider: 'Providers',
  catalog_label: 'Names of models',
  prices: 'Prices',
  webhook: 'Webhooks',
  generation: 'Generations of others',
  batch: 'Batches',
  workflow_run: 'Workflow runs',
  media: 'Deleted media',
  upload: 'Deleted uploads',
  collection: 'Deleted collections',
  share: 'Share pages',
  added_model: 'Added models',
  workflow: 'Deleted workflows',
  tag: 'Tags',
  preset: 'Shared presets',
  settings: 'Settings',
  alert: 'Alerts',
  export: 'Exports',
  installation: 'Operation',
} satisfies Record<AuditGroup, string>;

const ALL = 'all';
const groupOptions = AUDIT_GROUPS.map((value) => ({ value: value as string, label: AUDIT_GROUP_LABELS[value] })).sort(
  (a, b) => a.label.localeCompare(b.label),
);

export function AuditFilterBar({ search, events, names, onChange }: AuditFilterBarProps) {
  const { about, actor, target, from, to } = search;
  const actors = new Map(names);
  for (const { actor: by } of events) if (by.id !== null && !actors.has(by.id)) actors.set(by.id, by.name);
  if (actor !== undefined && !actors.has(actor)) actors.set(actor, `…${actor.slice(-6)}`);
  const actorOptions = Array.from(actors, ([value, label]) => ({ value, label })).sort((a, b) =>
    a.label.localeCompare(b.label),
  );
  return (
    <div className="mb-4 flex flex-wrap items-start gap-3">
      <Select
        aria-label="About"
        className="max-sm:w-full sm:w-48"
        value={about ?? ALL}
        options={[{ value: ALL, label: 'All changes' }, ...groupOptions]}
        onChange={(value) => onChange({ about: value === ALL ? undefined : value })}
      />
      <Select
        aria-label="By"
        className="max-sm:w-full sm:w-48"
        value={actor ?? ALL}
        options={[{ value: ALL, label: 'Anyone' }, ...actorOptions]}
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
