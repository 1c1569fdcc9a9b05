import { useQuery } from '@tanstack/react-query';
import { isTaskId } from '#contract/catalog.ts';
import { type NamedDimension, PROGRAMS, type ReportDimension } from '#contract/money/ledger.ts';
import { isModelId } from '#web/api/known-models.ts';
import { tagsQuery } from '#web/api/queries/settings.ts';
import { startOfUtcDay, toUtcDay } from '#web/ui/controls/days.ts';
import type { SelectOption } from '#web/ui/controls/select.tsx';
import type { LedgerSearch } from './ledger/ledger-search.ts';
import { formatUtcDay, formatUtcMonth } from './period.ts';
import { lastDayOfMonth } from './statement/months.ts';

/** Everything beyond the largest, in reports. */
const OTHER = '(other)';

interface Dimension {
  label: string;
  /** The ledger filter of a group; null if the ledger cannot filter by it. */
  toLedger: (id: string | null) => LedgerSearch | null;
  /** Formats the id of a group that has no name of its own. */
  format?: (id: string) => string;
}

const DIMENSIONS: Readonly<Record<NamedDimension, Dimension>> = {
  person: { label: 'Person', toLedger: (id) => ({ person: id ?? PROGRAMS }) },
  key: { label: 'Key', toLedger: (id) => (id === null ? null : { key: id }) },
  task: { label: 'Task', toLedger: (id) => (id !== null && isTaskId(id) ? { task: id } : null) },
  model: {
    label: 'Model',
    // In the margin, tasks without models stand beside the models.
    toLedger: (id) => (id === null ? null : isTaskId(id) ? { task: id } : isModelId(id) ? { model: id } : null),
  },
  provider: { label: 'Provider', toLedger: () => null },
  month: {
    label: 'Month',
    toLedger: (month) => (month === null ? null : { from: `${month}-01`, to: lastDayOfMonth(month) }),
    format: formatUtcMonth,
  },
  week: {
    label: 'Week',
    toLedger: (monday) => {
      const end = startOfUtcDay(monday ?? undefined, 6);
      return monday !== null && end ? { from: monday, to: toUtcDay(end) } : null;
    },
    format: (monday) => `Week of ${formatUtcDay(monday)}`,
  },
  day: { label: 'Day', toLedger: (day) => (day === null ? null : { from: day, to: day }), format: formatUtcDay },
};

const TAG_PREFIX = 'tag:';
const isTag = (by: ReportDimension): by is `tag:${string}` => by.startsWith(TAG_PREFIX);

/** Dimensions to choose from, and each tag of the organization. */
export function useDimensionOptions<Name extends NamedDimension>(
  names: readonly Name[],
): SelectOption<Name | `tag:${string}`>[] {
  const tags = useQuery(tagsQuery).data ?? [];
  return [
    ...names.map((value) => ({ value, label: DIMENSIONS[value].label })),
    ...tags.map(({ name, label }) => ({ value: `tag:${name}` as const, label })),
  ];
}

/** What a group is called where neither the catalog nor the service names it better. */
export const formatGroup = (by: ReportDimension, id: string | null): string | null =>
  isTag(by) || id === null || id === OTHER ? null : (DIMENSIONS[by].format?.(id) ?? null);

/**
 * Returns the ledger filter of a group of a report; null if the ledger cannot filter by it.
 * @param id null: work without a value
 */
export function toLedgerSearch(by: ReportDimension, id: string | null): LedgerSearch | null {
  if (id === OTHER) return null;
  return isTag(by) ? { tags: { [by.slice(TAG_PREFIX.length)]: id } } : DIMENSIONS[by].toLedger(id);
}

/** Both filters together; the second one wins, within the period of the first. */
export function joinSearch(first: LedgerSearch, second: LedgerSearch): LedgerSearch {
  const tags = { ...first.tags, ...second.tags };
  const from = [first.from, second.from]
    .filter((day) => day !== undefined)
    .toSorted()
    .at(-1);
  const to = [first.to, second.to].filter((day) => day !== undefined).toSorted()[0];
  return {
    ...first,
    ...second,
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
    ...(Object.keys(tags).length > 0 ? { tags } : {}),
  };
}
