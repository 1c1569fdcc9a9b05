import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { PenLine, RotateCcw, Square, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { Generation } from '#contract/resources/generation.ts';
import { createPageLink } from '#web/api/create-page-link.ts';
import { type GenerationFilters, loadGenerationPage } from '#web/api/queries/generations.ts';
import type { SelectionState } from '#web/media/library/selection/selection.ts';
import { SelectionToolbar } from '#web/media/library/selection/selection-toolbar.tsx';
import { useMoveToTrash } from '#web/media/library/selection/use-move-to-trash.ts';
import { ContinueWithMenu } from '#web/media/outputs/continue-with-menu.tsx';
import { ShareButton } from '#web/forms/shares/share-button.tsx';
import { Button, buttonClass, ToolbarButton } from '#web/ui/controls/button.tsx';
import { formatNumber } from '#web/ui/formats.ts';
import { showError } from '#web/ui/overlays/toast-error.ts';
import { showToast } from '#web/ui/overlays/toast-store.ts';
import { canCancelGeneration, canRetryGeneration } from '../use-generation-actions.ts';
import { startBulkAction, useBulkAction } from './bulk-action.ts';
import { RetryDialog } from './retry-dialog.tsx';

/** As many are selected at most, so that a press does not start thousands. */
const MAX_SELECTED = 1_000;
const icon = 'size-4';

interface GenerationSelectionBarProps {
  state: SelectionState<Generation>;
  rows: readonly Generation[];
  filters: GenerationFilters;
  hasMore: boolean;
}

export function GenerationSelectionBar({ state, rows, filters, hasMore }: GenerationSelectionBarProps) {
  const { selection, leave, drop } = state;
  const client = useQueryClient();
  const moveToTrash = useMoveToTrash();
  const [isRetrying, setRetrying] = useState(false);
  const isBusy = useBulkAction()?.state === 'running';
  const rowById = new Map(rows.map((row) => [row.id, row]));
  const selected = [...selection.media.values()].map((each) => rowById.get(each.id) ?? each);
  const cancelable = selected.filter(canCancelGeneration);
  const retryable = selected.filter(canRetryGeneration);
  const files = selected.flatMap(({ output }) => output.assets).filter(({ removed_at }) => !removed_at);
  const [first, second] = selected;
  const commonType = files[0] && files.every(({ type }) => type === files[0]?.type) ? files[0].type : null;
  return (
    <SelectionToolbar state={state} list={rows}>
      {hasMore && rows.every(({ id }) => selection.media.has(id)) ? (
        <SelectMatching filters={filters} state={state} />
      ) : null}
      {cancelable.length > 0 ? (
        <ToolbarButton
          disabled={isBusy}
          icon={<Square aria-hidden="true" className="size-3.5 fill-current" />}
          onClick={() => startBulkAction(client, 'cancel', cancelable)}
        >
          Cancel {formatNumber(cancelable.length)}
        </ToolbarButton>
      ) : null}
      {retryable.length > 0 ? (
        <ToolbarButton
          disabled={isBusy}
          icon={<RotateCcw aria-hidden="true" className={icon} />}
          onClick={() => setRetrying(true)}
        >
          Try {formatNumber(retryable.length)} again
        </ToolbarButton>
      ) : null}
      {first && !second ? (
        <Link
          {...createPageLink(first.task, first.model)}
          search={{ from: first.id }}
          aria-label="Reuse settings"
          data-tooltip="Reuse settings"
          className={buttonClass()}
        >
          <PenLine aria-hidden="true" className={icon} />
        </Link>
      ) : null}
      {commonType ? <ContinueWithMenu type={commonType} mediaIds={files.map(({ id }) => id)} /> : null}
      {files.length > 0 ? <ShareButton mediaIds={files.map(({ id }) => id)} /> : null}
      {files.length > 0 ? (
        <ToolbarButton
          icon={<Trash2 aria-hidden="true" className={icon} />}
          onClick={() =>
            void moveToTrash(
              files.map(({ id }) => id),
              () => drop(new Set(selected.map(({ id }) => id))),
            )
          }
        >
          Delete {files.length === 1 ? '1 file' : `${formatNumber(files.length)} files`}
        </ToolbarButton>
      ) : null}
      {isRetrying ? (
        <RetryDialog
          generations={retryable}
          onClose={() => setRetrying(false)}
          onStarted={() => {
            setRetrying(false);
            leave();
          }}
        />
      ) : null}
    </SelectionToolbar>
  );
}

const PAGE_SIZE = 200;

/** Selects what matches the filters beyond what is loaded, up to a limit. */
function SelectMatching({ filters, state }: Pick<GenerationSelectionBarProps, 'filters' | 'state'>) {
  const [isLoading, setLoading] = useState(false);
  const load = async () => {
    setLoading(true);
    try {
      const found: Generation[] = [];
      let cursor: string | null = null;
      do {
        const page = await loadGenerationPage({ ...filters, limit: PAGE_SIZE }, cursor, new AbortController().signal);
        found.push(...page.data);
        cursor = page.next_cursor;
      } while (cursor !== null && found.length < MAX_SELECTED);
      state.add(found.slice(0, MAX_SELECTED));
      if (cursor !== null) showToast({ title: `The newest ${formatNumber(MAX_SELECTED)} are selected` });
    } catch (error) {
      showError('Not all could be selected', error);
    } finally {
      setLoading(false);
    }
  };
  return (
    <Button size="sm" variant="ghost" busy={isLoading} onClick={() => void load()}>
      All that match
    </Button>
  );
}
