import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { PencilLine, Plus, Replace, Share2, Trash2, Users } from 'lucide-react';
import { useState } from 'react';
import type { TaskId } from '#contract/ids.ts';
import type { PresetSummary } from '#contract/resources/preset.ts';
import { queryError } from '#web/api/api-errors.ts';
import { useCatalogNames } from '#web/api/catalog-names.ts';
import { createPageLink } from '#web/api/create-page-link.ts';
import { identifyCreator } from '#web/collections/creator.tsx';
import { presetsQuery, useUpdatePreset } from '#web/api/queries/presets.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { MoreMenu, MenuItem } from '#web/ui/overlays/menu.tsx';
import { SegmentedControl } from '#web/ui/controls/segmented-control.tsx';
import { Skeleton } from '#web/ui/display/skeleton.tsx';
import { toastError } from '#web/ui/overlays/toast-error.ts';
import { showToast } from '#web/ui/overlays/toast-store.ts';
import type { ManageAction } from './preset-dialogs.tsx';

interface PresetListProps {
  task: TaskId;
  onSave: () => void;
  onAction: (kind: ManageAction, preset: PresetSummary) => void;
  onApply: () => void;
}

/** Presets of the task, or of all tasks. Choosing one fills in the form; the form says so and can undo it. */
export function PresetList({ task, onSave, onAction, onApply }: PresetListProps) {
  const [scope, setScope] = useState<'task' | 'all'>('task');
  const list = useInfiniteQuery(presetsQuery(scope === 'task' ? task : undefined));
  const presets = list.data?.pages.flatMap(({ data }) => data);
  const problem = queryError(list);
  return (
    <section aria-label="Saved presets" className="flex flex-col gap-2 border-b border-line p-3">
      <div className="flex items-center gap-2">
        <SegmentedControl
          size="sm"
          label="Presets of"
          value={scope}
          onChange={setScope}
          options={[
            { value: 'task', label: 'This task' },
            { value: 'all', label: 'All tasks' },
          ]}
        />
        <Button size="sm" className="ml-auto" icon={<Plus aria-hidden="true" className="size-4" />} onClick={onSave}>
          Save this form
        </Button>
      </div>
      {presets ? (
        <ul aria-label="Presets" className="-mx-1.5 flex max-h-60 flex-col overflow-y-auto">
          {presets.map((preset) => (
            <PresetRow key={preset.id} preset={preset} onAction={onAction} onApply={onApply} />
          ))}
          {presets.length === 0 ? (
            <li className="px-1.5 py-2 text-sm text-ink-3">
              No presets yet. Save a form you will use again, with its model and settings.
            </li>
          ) : null}
          {list.hasNextPage ? (
            <li className="px-1.5 py-1">
              <Button
                size="sm"
                variant="ghost"
                busy={list.isFetchingNextPage}
                onClick={() => void list.fetchNextPage()}
              >
                Show more
              </Button>
            </li>
          ) : null}
        </ul>
      ) : problem ? (
        <p role="alert" className="flex flex-wrap items-center gap-2 text-sm text-ink-2">
          Presets could not be loaded.
          <Button size="sm" onClick={() => void list.refetch()}>
            Try again
          </Button>
        </p>
      ) : (
        <Skeleton className="h-10 rounded-sm" />
      )}
    </section>
  );
}

interface PresetRowProps extends Pick<PresetListProps, 'onAction' | 'onApply'> {
  preset: PresetSummary;
}

function PresetRow({ preset, onAction, onApply }: PresetRowProps) {
  const names = useCatalogNames();
  const update = useUpdatePreset();
  const { id, name, task, model, shared, can_edit, created_by, prompt } = preset;
  const share = () =>
    update.mutate(
      { id, shared: !shared },
      {
        onSuccess: () =>
          showToast({ title: shared ? `“${name}” is no longer shared` : `“${name}” is shared with everyone here` }),
        onError: toastError('Not changed'),
      },
    );
  const details = [names.modelOrTask({ task, model }), shared ? `Shared by ${identifyCreator(created_by).name}` : null];
  return (
    <li className="flex items-center gap-1 rounded-sm hover:bg-hover">
      <Link
        {...createPageLink(task, model)}
        search={{ preset: id }}
        onClick={onApply}
        className="min-w-0 flex-1 rounded-sm px-1.5 py-1.5"
        aria-description={details.filter(Boolean).join(' · ')}
      >
        <span className="flex items-center gap-1.5">
          <span dir="auto" className="truncate text-sm font-medium">
            <span className="sr-only">Apply </span>
            {name}
          </span>
          {shared ? <Users aria-hidden="true" className="size-3.5 flex-none text-ink-3" /> : null}
        </span>
        <span dir="auto" className="block truncate text-xs text-ink-3">
          {prompt ?? details[0]}
        </span>
      </Link>
      {can_edit ? (
        <MoreMenu size="sm" label={`More for ${name}`}>
          <MenuItem icon={<Replace aria-hidden="true" />} onSelect={() => onAction('replace', preset)}>
            Replace with this form
          </MenuItem>
          <MenuItem icon={<PencilLine aria-hidden="true" />} onSelect={() => onAction('rename', preset)}>
            Rename
          </MenuItem>
          <MenuItem icon={<Share2 aria-hidden="true" />} onSelect={share}>
            {shared ? 'Stop sharing' : 'Share with everyone'}
          </MenuItem>
          <MenuItem tone="danger" icon={<Trash2 aria-hidden="true" />} onSelect={() => onAction('delete', preset)}>
            Delete
          </MenuItem>
        </MoreMenu>
      ) : null}
    </li>
  );
}
