import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '#web/ui/controls/button.tsx';
import { formatNumber } from '#web/ui/formats.ts';
import { IconButton } from '#web/ui/controls/icon-button.tsx';
import type { SelectionState } from './selection.ts';

interface SelectionToolbarProps<M extends { id: string }> {
  state: SelectionState<M>;
  /** The loaded ones. */
  list: readonly M[];
  /** Beside the number. */
  note?: string;
  /** What can be done with the selection. */
  children: ReactNode;
}

/** In place of the filters of a list while some of it is selected. */
export function SelectionToolbar<M extends { id: string }>(props: SelectionToolbarProps<M>) {
  const { state, list, note, children } = props;
  const { media } = state.selection;
  return (
    <section
      aria-label="Selection"
      className="flex min-h-9 flex-wrap items-center gap-x-1.5 gap-y-2 pointer-coarse:min-h-11"
    >
      <IconButton label="Clear selection" icon={<X aria-hidden="true" className="size-4" />} onClick={state.leave} />
      <output className="mr-auto min-w-0 text-sm tabular-nums">
        <span className="font-semibold">
          {media.size === 0 ? 'Select items' : `${formatNumber(media.size)} selected`}
        </span>
        {note && media.size > 0 ? <span className="text-ink-3"> · {note}</span> : null}
      </output>
      {list.some(({ id }) => !media.has(id)) ? (
        <Button size="sm" variant="ghost" onClick={state.all}>
          <span className="@max-md:sr-only">Select all</span>
          <span aria-hidden="true" className="@md:hidden">
            All
          </span>{' '}
          {formatNumber(list.length)} <span className="@max-5xl:sr-only">loaded</span>
        </Button>
      ) : null}
      {children}
    </section>
  );
}
