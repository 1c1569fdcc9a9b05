import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ArrowUpRight, ChevronDown } from 'lucide-react';
import { inputContract, modelsForTask } from '#contract/catalog.ts';
import { TASK_IDS, type TaskId } from '#contract/ids.ts';
import type { MediaKind } from '#contract/task.ts';
import { useCatalogNames } from '#web/api/catalog-names.ts';
import { useCannot } from '#web/api/queries/permissions.ts';
import { tasksQuery } from '#web/api/queries/catalog.ts';
import { createPageLink } from '#web/api/create-page-link.ts';
import { Button } from '#web/ui/button.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import { Menu, menuItemClass } from '#web/ui/menu.tsx';

interface OutputSource {
  generationId: string;
  which: { asset: number } | { post: number };
}

export type ContinueWithMenuProps = {
  type: MediaKind;
  compact?: boolean;
} & (OutputSource | { mediaIds: readonly string[] });

const MAX_MEDIA = 16;

export function ContinueWithMenu({ type, compact = false, ...source }: ContinueWithMenuProps) {
  const names = useCatalogNames();
  const search =
    'mediaIds' in source
      ? { media: source.mediaIds.slice(0, MAX_MEDIA).join() }
      : { use: source.generationId, ...source.which };
  const { data: tasks } = useQuery(tasksQuery);
  const isForbidden = useCannot('work.create');
  const isAvailable = (task: TaskId) => tasks?.some(({ id, available }) => id === task && available) ?? true;
  if (isForbidden) return null;
  return (
    <Menu
      label="Continue with this"
      align="start"
      renderTrigger={(props) =>
        compact ? (
          <IconButton
            {...props}
            size="sm"
            label="Continue with…"
            icon={<ArrowUpRight aria-hidden="true" className="size-4" />}
          />
        ) : (
          <Button
            {...props}
            icon={<ArrowUpRight aria-hidden="true" className="size-4" />}
            iconEnd={<ChevronDown aria-hidden="true" className="size-3.5 text-ink-3" />}
          >
            Continue with…
          </Button>
        )
      }
    >
      {tasksForMedia(type)
        .filter(isAvailable)
        .map((task) => (
          <Link
            key={task}
            {...createPageLink(task)}
            search={search}
            role="menuitem"
            tabIndex={-1}
            className={menuItemClass}
          >
            {names.task(task)}
          </Link>
        ))}
    </Menu>
  );
}

function mediaRequirement(task: TaskId, media: MediaKind): 'required' | 'optional' | null {
  const models = modelsForTask(task);
  const contracts = (models.length > 0 ? models : [null]).flatMap((model) => inputContract(task, model) ?? []);
  const fields = contracts.flatMap(({ fields }) => fields).filter((field) => 'media' in field && field.media === media);
  if (fields.length === 0) return null;
  return fields.some((field) => 'required' in field && field.required) ? 'required' : 'optional';
}

/** Tasks that require the media come first. */
export function tasksForMedia(media: MediaKind): TaskId[] {
  const tasks = TASK_IDS.map((task) => ({ task, requirement: mediaRequirement(task, media) }));
  return [
    ...tasks.filter(({ requirement }) => requirement === 'required'),
    ...tasks.filter(({ requirement }) => requirement === 'optional'),
  ].map(({ task }) => task);
}
