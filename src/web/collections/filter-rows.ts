import { type AnyModelId, type TaskId, TASK_IDS } from '#contract/ids.ts';
import { parseModel } from '#web/api/known-models.ts';
import { parseTagFilter, type TagFilter, toTagsParameter } from '#web/forms/tags/tag-filter.ts';
import { startOfLocalDay, startOfUtcDay } from '#web/ui/controls/days.ts';
import type { DayRangePresets } from '#web/ui/controls/day-range-select.tsx';
import { omitUndefined, parseDay, parseId, parseOption, parseText } from '#web/ui/search-params.ts';
import type { SelectOption } from '#web/ui/controls/select.tsx';

// Routes parse with these rows, so nothing here may need a component: the first script would hold it.

export type RawSearch = Readonly<Record<string, unknown>>;

/** Which control shows a filter; see `filter-fields.tsx`. */
export type FilterLook =
  | { kind: 'text'; label: string }
  /** Without labels those of generations. */
  | { kind: 'status'; labels?: Readonly<Record<string, string>> }
  | {
      kind: 'choice';
      label: string;
      /** Label of the option without a value. */
      all: string;
      /**
       * Always includes the selected one.
       * @param rows the loaded ones
       */
      useOptions: (selected: string | undefined, rows: readonly unknown[]) => readonly SelectOption<string>[];
      /** Beside the search box, as a select or as segments, or in the menu. */
      place: 'menu' | 'bar' | 'segments';
      /** Says what is chosen, in the chip; by default the label of the option. */
      chip?: (label: string) => string;
      /** Also changes these parameters. */
      also?: (value: string | undefined) => RawSearch;
    }
  | { kind: 'days'; label: string; none: string; presets?: DayRangePresets; zone?: string; place: 'menu' | 'bar' }
  | { kind: 'task'; tasks?: () => readonly TaskId[]; isDisabled?: (search: RawSearch) => boolean }
  | { kind: 'sort'; options: readonly SelectOption<string>[]; initial: string }
  | { kind: 'link'; chip?: (value: string) => string }
  /** `order`, `to` and `model` are part of the control of the row before. */
  | { kind: 'person' | 'tags' | 'file_tag' | 'starred' | 'model' | 'order' | 'to' };

/** One search parameter of a list: how the address is read, what the service calls it, and how it is shown. */
export interface FilterRow<P extends string = string, T = unknown, W = unknown> {
  look: FilterLook;
  /** Name of the query parameter. */
  query: P;
  /** Returns undefined for a value that is not valid. */
  parse(raw: unknown, all: RawSearch): T | undefined;
  toWire(value: T): W;
  /** Says how the list is shown: clearing the filters keeps it. */
  isView?: true;
}

/** The filters of a list by search parameter. */
export type FilterRows = Readonly<Record<string, FilterRow>>;

export type SearchOf<F extends FilterRows> = {
  [K in keyof F]?: ReturnType<F[K]['parse']>;
};

export type QueryOf<F extends FilterRows> = {
  [K in keyof F as F[K]['query']]?: Exclude<ReturnType<F[K]['toWire']>, undefined>;
};

/** Parses the search parameters of the address and omits invalid ones. */
export const parseSearch = <F extends FilterRows>(rows: F, raw: RawSearch): SearchOf<F> =>
  omitUndefined(
    Object.fromEntries(Object.entries(rows).map(([name, row]) => [name, row.parse(raw[name], raw)])),
  ) as SearchOf<F>;

/**
 * Converts search parameters to the query of the list.
 * @param personId whose work; undefined: everybody's
 */
export function toQuery<F extends FilterRows>(rows: F, search: SearchOf<F>, personId?: string): QueryOf<F> {
  const values = search as RawSearch;
  const query = Object.entries(rows).map(([name, row]) => {
    const value = row.look.kind === 'person' ? personId : values[name];
    return [row.query, value === undefined ? undefined : row.toWire(value)];
  });
  return omitUndefined(Object.fromEntries(query)) as QueryOf<F>;
}

/** Whether parameters that clearing removes are set, apart from the person. */
export const hasFilters = <F extends FilterRows>(rows: F, search: SearchOf<F>): boolean =>
  Object.entries(rows).some(
    ([name, { look, isView }]) => !isView && look.kind !== 'person' && (search as RawSearch)[name] !== undefined,
  );

export const clearFilters = <F extends FilterRows>(rows: F): SearchOf<F> =>
  Object.fromEntries(
    Object.entries(rows)
      .filter(([, { isView }]) => !isView)
      .map(([name]) => [name, undefined]),
  ) as SearchOf<F>;

const asIs = <T>(value: T): T => value;

/** The search box; `q` of the service. */
export const textRow = (label: string): FilterRow<'q', string, string> => ({
  look: { kind: 'text', label },
  query: 'q',
  parse: parseText,
  toWire: asIs,
});

export const statusRow = <T extends string>(
  statuses: readonly T[],
  labels?: Readonly<Record<T, string>>,
): FilterRow<'status', T, T> => ({
  look: { kind: 'status', ...(labels && { labels }) },
  query: 'status',
  parse: (raw) => parseOption(statuses, raw),
  toWire: asIs,
});

/** Whose work; see `usePersonFilter`. */
export const personRow = (): FilterRow<'person_id', string, string> => ({
  look: { kind: 'person' },
  query: 'person_id',
  parse: parseId,
  toWire: asIs,
});

type ChoiceRow<P extends string, T> = Omit<Extract<FilterLook, { kind: 'choice' }>, 'kind' | 'place'> & {
  query: P;
  parse: (raw: unknown) => T | undefined;
  place?: 'menu' | 'bar' | 'segments';
  isView?: true;
};

/** One of some options, or none. */
export const choiceRow = <P extends string, T extends string>({
  query,
  parse,
  isView,
  place = 'menu',
  ...look
}: ChoiceRow<P, T>): FilterRow<P, T, T> => ({
  look: { kind: 'choice', place, ...look },
  query,
  parse,
  toWire: asIs,
  ...(isView && { isView }),
});

interface LinkRow<P extends string, T> {
  query: P;
  parse: (raw: unknown) => T | undefined;
  chip?: (value: string) => string;
}

type LinkWire<T> = T extends number ? string : T;

/** What a link or a control of the page sets. Without a chip, that control has to show it. */
export const linkRow = <P extends string, T extends string | number | true>({
  query,
  parse,
  chip,
}: LinkRow<P, T>): FilterRow<P, T, LinkWire<T>> => ({
  look: { kind: 'link', ...(chip && { chip }) },
  query,
  parse,
  toWire: (value) => (typeof value === 'number' ? String(value) : value) as LinkWire<T>,
});

interface DayRowsOptions<A extends string, B extends string> {
  /** Names of the service: the first is inclusive, the second is not. */
  after: A;
  before: B;
  /** UTC days, with these presets; local days by default. */
  utc?: DayRangePresets;
  none?: string;
  place?: 'menu' | 'bar';
}

/** Parameters `from` and `to`: days, `YYYY-MM-DD`, both inclusive. */
export function dayRows<A extends string = 'created_after', B extends string = 'created_before'>({
  after,
  before,
  utc,
  none = 'Any time',
  place = 'menu',
}: DayRowsOptions<A, B>): { from: FilterRow<A, string, string>; to: FilterRow<B, string, string> } {
  const startOf = utc ? startOfUtcDay : startOfLocalDay;
  const parse = utc ? (raw: unknown) => (typeof raw === 'string' && startOfUtcDay(raw) ? raw : undefined) : parseDay;
  const toTime = (plus: number) => (day: string) => startOf(day, plus)?.toISOString() ?? '';
  const look = utc ? { label: 'Period (UTC)', zone: 'UTC', presets: utc } : { label: 'Date' };
  return {
    from: { look: { kind: 'days', none, place, ...look }, query: after, parse, toWire: toTime(0) },
    to: { look: { kind: 'to' }, query: before, parse, toWire: toTime(1) },
  };
}

/** Parameters `task` and `model`. */
export const taskModelRows = (
  options: Omit<Extract<FilterLook, { kind: 'task' }>, 'kind'> = {},
): { task: FilterRow<'task', TaskId, TaskId>; model: FilterRow<'model', AnyModelId, AnyModelId> } => ({
  task: {
    look: { kind: 'task', ...options },
    query: 'task',
    parse: (raw) => parseOption(TASK_IDS, raw),
    toWire: asIs,
  },
  model: { look: { kind: 'model' }, query: 'model', parse: parseModel, toWire: asIs },
});

/** Values of the organization's tags. */
export const tagsRow = (): FilterRow<'tags', TagFilter, string | undefined> => ({
  look: { kind: 'tags' },
  query: 'tags',
  parse: parseTagFilter,
  toWire: toTagsParameter,
});

/** A tag that people put on files. */
export const fileTagRow = (): FilterRow<'label', string, string> => ({
  look: { kind: 'file_tag' },
  query: 'label',
  parse: parseText,
  toWire: asIs,
});

/** Files with a star. */
export const starredRow = (): FilterRow<'favourite', true, 'true'> => ({
  look: { kind: 'starred' },
  query: 'favourite',
  parse: (raw) => raw === true || undefined,
  toWire: () => 'true',
});

/**
 * Parameters `sort` and `order`, which the headers of columns with `sort` change too.
 * @param sorts names of the service, beginning with the one that lists begin with, descending
 * @param options `<sort> desc` and `<sort> asc`, for the widths and views without headers
 */
export function sortRows<S extends string>(
  sorts: readonly [S, ...S[]],
  options: readonly SelectOption<`${S} ${'asc' | 'desc'}`>[],
): { sort: FilterRow<'sort', S, S>; order: FilterRow<'order', 'asc', 'asc'> } {
  const parseOrder = (raw: unknown) => parseOption(['asc'] as const, raw);
  return {
    sort: {
      look: { kind: 'sort', options, initial: sorts[0] },
      query: 'sort',
      parse: (raw, { order }) => {
        const sort = parseOption(sorts, raw) ?? sorts[0];
        return sort === sorts[0] && parseOrder(order) === undefined ? undefined : sort;
      },
      toWire: asIs,
      isView: true,
    },
    order: { look: { kind: 'order' }, query: 'order', parse: parseOrder, toWire: asIs, isView: true },
  };
}
