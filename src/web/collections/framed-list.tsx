import { type ComponentType, memo, type ReactNode } from 'react';
import { ListStates, type ListStatesProps } from '#web/api/list-states.tsx';
import { Button } from '#web/ui/controls/button.tsx';
import { FramedSkeletonRows } from '#web/ui/display/skeleton.tsx';
import type { CollectionList } from './collection-list.ts';
import { followFocus } from './resource-list.tsx';

export interface FramedListProps<R extends { id: string }> extends Pick<ListStatesProps, 'what' | 'older' | 'empty'> {
  label: string;
  list: CollectionList<R>;
  Row: ComponentType<{ row: R }>;
  /** Of one row, with its height. */
  skeleton: Parameters<typeof FramedSkeletonRows>[0]['children'];
  skeletonClass: string;
  loadingLabel: string;
  skeletonRows: number;
  onFocus: (id: string) => void;
}

/** Rows of differing height in a frame, with a button for older ones. */
export function FramedList<R extends { id: string }>(props: FramedListProps<R>) {
  const { label, list, Row, what, older, empty, onFocus } = props;
  return (
    <ListStates
      list={list}
      what={what}
      older={older}
      empty={empty}
      loading={
        <FramedSkeletonRows label={props.loadingLabel} rows={props.skeletonRows} className={props.skeletonClass}>
          {props.skeleton}
        </FramedSkeletonRows>
      }
    >
      <div onFocus={(event) => followFocus(event, onFocus)}>
        <ul
          aria-label={label}
          tabIndex={-1}
          className="divide-y divide-line rounded-md border border-line bg-surface outline-none"
        >
          {list.rows.map((row) => (
            <FramedRow key={row.id} row={row} Row={Row} />
          ))}
        </ul>
      </div>
      {list.hasMore ? (
        <div className="mt-4 flex justify-center">
          <Button busy={list.isLoadingMore ?? false} onClick={list.loadMore}>
            Show {older.toLowerCase()}
          </Button>
        </div>
      ) : null}
    </ListStates>
  );
}

interface FramedRowProps<R> {
  row: R;
  Row: ComponentType<{ row: R }>;
}

/** The keyboard goes to what has `data-row` inside, else to the row itself. */
const FramedRow = memo(function FramedRow<R extends { id: string }>({ row, Row }: FramedRowProps<R>) {
  return (
    <li
      data-row-id={row.id}
      tabIndex={-1}
      className="focus-visible:outline-2 focus-visible:-outline-offset-2 focus-visible:outline-focus"
    >
      <Row row={row} />
    </li>
  );
}) as <R extends { id: string }>(props: FramedRowProps<R>) => ReactNode;
