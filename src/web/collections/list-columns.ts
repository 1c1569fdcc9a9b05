import type { CSSProperties, ReactNode } from 'react';
import { cx } from '#web/ui/cx.ts';

export interface Column<R> {
  /** Names its place in the narrow layout. */
  id: string;
  header?: ReactNode;
  cell: (row: R) => ReactNode;
  /** Of the cell, beside its place and alignment. */
  className?: string;
  /** Grid track of the wide layout: `6rem`. */
  width: string;
  align?: 'right';
  /** The line of the narrow layout; undefined: in the middle of the row. */
  line?: 1 | 2;
  /** Shown from that width of the list on. */
  from?: 'wide' | 'widest';
  /** Size of its placeholder; `text`: a line whose length differs by row. Undefined: none. */
  skeleton?: string;
  /** What the API sorts by, where it does. */
  sort?: string;
}

export interface Sorting {
  by: string;
  order: 'asc' | 'desc';
}

/** What a press on the header of a column asks for: descending first, then ascending. */
export const nextSorting = (now: Sorting, by: string): Sorting => ({
  by,
  order: now.by === by && now.order === 'desc' ? 'asc' : 'desc',
});

/** From the search parameters `sort` and `order`. */
export const toSorting = ({ sort, order }: Readonly<Record<string, unknown>>, initial: string): Sorting => ({
  by: typeof sort === 'string' ? sort : initial,
  order: order === 'asc' ? 'asc' : 'desc',
});

export const fromSorting = ({ by, order }: Sorting, initial: string) => ({
  sort: by === initial && order === 'desc' ? undefined : by,
  order: order === 'asc' ? order : undefined,
});

/** For the link of a row, which covers it and is where the keyboard goes. */
export const ROW_LINK = {
  'data-row': '',
  className:
    'outline-none after:absolute after:inset-0 after:-outline-offset-2 focus-visible:after:outline-2 focus-visible:after:outline-focus',
} as const;

export const OPEN_ROW = 'bg-press! shadow-[inset_2px_0_0_var(--amber)]';

export interface NarrowLayout {
  /** Grid tracks. */
  columns: string;
  /** Ids of columns by line: `thumb text text`. */
  areas: readonly string[];
}

/** Two lines in narrow containers, columns in wide ones. The virtual list needs a fixed row height. */
const base =
  'grid items-center [grid-template-areas:var(--narrow-areas)] [grid-template-columns:var(--narrow-columns)]';
export const LIST_VARIANTS = {
  /** Columns from 48 rem on, and all of them from 64 rem on. */
  list: {
    grid: cx(
      base,
      'gap-x-3 px-1 @md:px-3 @3xl:gap-x-4 @3xl:[grid-template-areas:var(--wide-areas)] @3xl:[grid-template-columns:var(--wide-columns)]',
      '@5xl:[grid-template-areas:var(--widest-areas)] @5xl:[grid-template-columns:var(--widest-columns)]',
    ),
    head: 'hidden h-9 border-b border-line text-xs font-medium text-ink-3 @3xl:grid',
    line: { 1: 'self-end @3xl:self-center @3xl:pb-0', 2: 'self-start @3xl:self-center @3xl:pt-0' },
    from: { wide: 'hidden @3xl:block', widest: 'hidden @5xl:block' },
    right: { cell: '@3xl:text-right', skeleton: '@3xl:justify-self-end' },
  },
  /** Columns from 56 rem on, and all of them from 64 rem on. */
  table: {
    grid: cx(
      base,
      'gap-x-3 px-1 @md:px-3 @4xl:gap-x-5 @4xl:[grid-template-areas:var(--wide-areas)] @4xl:[grid-template-columns:var(--wide-columns)]',
      '@5xl:[grid-template-areas:var(--widest-areas)] @5xl:[grid-template-columns:var(--widest-columns)]',
    ),
    head: 'h-10 border-b border-line text-xs text-ink-3 *:font-medium @4xl:h-9',
    line: { 1: 'self-end @4xl:self-center @4xl:pb-0', 2: 'self-start @4xl:self-center @4xl:pt-0' },
    from: { wide: 'hidden @4xl:block', widest: 'hidden @5xl:block' },
    right: { cell: '@4xl:text-right', skeleton: '@4xl:justify-self-end' },
  },
} as const;

export type ListVariant = (typeof LIST_VARIANTS)[keyof typeof LIST_VARIANTS];

/** The templates of a list's grid, which its header, rows and placeholders inherit. */
export function gridTemplates<R>(columns: readonly Column<R>[], narrow: NarrowLayout): CSSProperties {
  const wide = columns.filter(({ from }) => from !== 'widest');
  const areas = (shown: readonly Column<R>[]) => `"${shown.map(({ id }) => id).join(' ')}"`;
  const tracks = (shown: readonly Column<R>[]) => shown.map(({ width }) => width).join(' ');
  const properties: Record<`--${string}`, string> = {
    '--narrow-areas': narrow.areas.map((line) => `"${line}"`).join(' '),
    '--narrow-columns': narrow.columns,
    '--wide-areas': areas(wide),
    '--wide-columns': tracks(wide),
    '--widest-areas': areas(columns),
    '--widest-columns': tracks(columns),
  };
  return properties;
}
