import { useNavigate } from '@tanstack/react-router';
import { SquareCheckBig } from 'lucide-react';
import { useCallback, useMemo, useState } from 'react';
import type { ClosingFinding } from '#contract/resources/closing-finding.ts';
import type { CloseRow } from '#contract/resources/closing.ts';
import { useCan } from '#web/api/queries/permissions.ts';
import {
  CollectionBar,
  CollectionRows,
  useCollection,
  useCollectionCommands,
} from '#web/collections/collection-view.tsx';
import { useSelection } from '#web/media/library/selection/selection.ts';
import { SelectionToolbar } from '#web/media/library/selection/selection-toolbar.tsx';
import { Button } from '#web/ui/controls/button.tsx';
import { IconButton } from '#web/ui/controls/icon-button.tsx';
import { formatNumber } from '#web/ui/formats.ts';
import { lazyComponent } from '#web/ui/lazy-component.tsx';
import { omitUndefined } from '#web/ui/search-params.ts';
import type { BillingTabProps } from '../billing-search.ts';
import { FindingRowsContext, findingsOf } from './finding-collection.tsx';

interface FindingsProps extends Pick<BillingTabProps, 'search' | 'onChange'> {
  month: string;
  providerId: string;
  /** undefined: not loaded yet. */
  row: CloseRow | undefined;
}

const SettleDialog = lazyComponent(async () => (await import('./settle-dialog.tsx')).SettleDialog);

/** Why a provider's bill differs, line by line, and settling it. */
export function Findings({ month, providerId, row, search, onChange }: FindingsProps) {
  const navigate = useNavigate();
  const { open, finding: kind } = search;
  const collection = useMemo(() => findingsOf(month, providerId), [month, providerId]);
  const show = (id: string | undefined, replace: boolean) =>
    void navigate({
      to: '/billing',
      search: (before) => omitUndefined({ ...before, part: 'close' as const, open: id }),
      replace,
      resetScroll: false,
    });
  const state = useCollection(collection, { search, onChange, openId: open, onFollow: ({ id }) => show(id, true) });
  const { cursor, current, list } = state;
  const canSettle = useCan('funds.manage') && row?.status !== 'closed';
  const settleable = useMemo(() => list.rows.filter(({ actions }) => actions.length > 0), [list.rows]);
  const selection = useSelection(settleable);
  const { toggle, extend, selecting, leave } = selection;
  const selectedIds = selection.selection.media;
  const [settling, setSettling] = useState<'selection' | 'kind' | null>(null);
  const close = () => {
    if (open === undefined) return;
    show(undefined, false);
    cursor.moveTo(open, { follow: false });
  };
  const select = (finding: ClosingFinding | undefined) => finding && finding.actions.length > 0 && toggle(finding);
  useCollectionCommands(collection, state, {
    onOpen: () => current && show(current.id, open !== undefined),
    commands: [
      ...(canSettle
        ? [
            { keys: 'x', label: 'Select', run: () => select(current) },
            { keys: 'mod+a', label: 'Select all loaded rows', run: selection.all },
            { keys: 's', label: 'Settle the selection', run: () => selectedIds.size > 0 && setSettling('selection') },
          ]
        : []),
      selecting
        ? { keys: 'escape', label: 'Clear the selection', run: leave }
        : { keys: 'escape', label: 'Close the panel', run: close },
    ],
  });
  const shared = useMemo(
    () => ({ openId: open, selectedIds, select: canSettle ? { toggle, extend } : null }),
    [open, selectedIds, canSettle, toggle, extend],
  );
  const rowProps = useCallback(
    ({ id }: ClosingFinding) => ({ className: selectedIds.has(id) ? 'bg-hover' : '' }),
    [selectedIds],
  );
  const sums = row?.findings.find((each) => each.kind === kind);
  const ofKind = canSettle && sums && sums.open_count > 0 && sums.actions.length > 0 ? sums : null;
  const selected = [...selectedIds.values()];
  return (
    <section aria-label="Findings" className="@container">
      <CollectionBar
        collection={collection}
        state={state}
        instead={
          selecting ? (
            <SelectionToolbar state={selection} list={settleable}>
              <Button
                variant="primary"
                disabled={selected.length === 0}
                onPointerEnter={SettleDialog.preload}
                onClick={() => setSettling('selection')}
              >
                Settle {formatNumber(selected.length)}…
              </Button>
            </SelectionToolbar>
          ) : null
        }
      >
        {canSettle && settleable.length > 0 ? (
          <IconButton
            outlined
            label="Select items"
            icon={<SquareCheckBig aria-hidden="true" className="size-4" />}
            onClick={selection.begin}
          />
        ) : null}
        {ofKind ? (
          <Button onPointerEnter={SettleDialog.preload} onClick={() => setSettling('kind')}>
            Settle all {formatNumber(ofKind.open_count)} of this kind…
          </Button>
        ) : null}
      </CollectionBar>
      <FindingRowsContext value={shared}>
        <CollectionRows collection={collection} state={state} rowProps={rowProps} keepScroll />
      </FindingRowsContext>
      {settling === 'selection' ? (
        <SettleDialog
          month={month}
          providerId={providerId}
          findings={selected}
          onSettled={leave}
          onClose={() => setSettling(null)}
        />
      ) : null}
      {settling === 'kind' && ofKind ? (
        <SettleDialog
          month={month}
          providerId={providerId}
          kind={ofKind}
          onSettled={leave}
          onClose={() => setSettling(null)}
        />
      ) : null}
    </section>
  );
}
