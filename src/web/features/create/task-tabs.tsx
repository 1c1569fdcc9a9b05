import { Link } from '@tanstack/react-router';
import { AudioLines, Clapperboard, Image, type LucideIcon, Search } from 'lucide-react';
import type { TaskId } from '#contract/ids.ts';
import {
  type CatalogAvailability,
  canRunTask,
  taskUnavailableReason,
  TASK_GROUPS,
  taskLabel,
  tasksInGroup,
} from './create-selection.ts';
import { taskDescription, taskName } from '#web/api/model-names.ts';
import { createPageLink } from '#web/api/create-page-link.ts';
import { cx } from '#web/ui/cx.ts';
import { tooltipProps } from '#web/ui/tooltip-props.ts';

const icons = {
  Image,
  Video: Clapperboard,
  Sound: AudioLines,
  Ideas: Search,
} satisfies Record<(typeof TASK_GROUPS)[number]['label'], LucideIcon>;

const rowClass = '-mx-4 flex gap-1 overflow-x-auto px-4 [scrollbar-width:none] md:mx-0 md:flex-wrap md:px-0';

const taskTabClass = 'flex h-7.5 items-center rounded-sm px-2.5 text-sm transition-colors pointer-coarse:h-10';

/** Unlike `scrollIntoView`, this never scrolls the page. */
function scrollTabIntoView(link: HTMLElement | null): void {
  const list = link?.closest('ul');
  if (!link || !list) return;
  // Measuring in the next frame avoids a second layout of the first one.
  requestAnimationFrame(() => {
    const left_px = link.getBoundingClientRect().left - list.getBoundingClientRect().left;
    list.scrollLeft += left_px - (list.clientWidth - link.offsetWidth) / 2;
  });
}

export interface TaskTabsProps {
  task: TaskId | null;
  catalog: CatalogAvailability;
  onTaskChange?: (to: TaskId) => void;
}

export function GroupTabs({ task, catalog, onTaskChange }: TaskTabsProps) {
  return (
    <nav aria-label="Kind of work" className="min-w-0">
      <ul className={rowClass}>
        {TASK_GROUPS.map((group) => {
          const tasks = tasksInGroup(group);
          const current = task !== null && tasks.includes(task);
          const target = current ? task : tasks.find((id) => canRunTask(id, catalog));
          if (!target) return null;
          const Icon = icons[group.label];
          return (
            <li key={group.label} className="flex-none">
              <Link
                ref={current ? scrollTabIntoView : undefined}
                {...createPageLink(target)}
                onClick={() => onTaskChange?.(target)}
                aria-current={current ? 'true' : undefined}
                className={cx(
                  'flex h-9 items-center gap-2 rounded-md border px-3 text-sm font-medium transition-colors pointer-coarse:h-11',
                  current
                    ? 'border-line-strong bg-surface text-ink'
                    : 'border-transparent text-ink-2 hover:bg-hover hover:text-ink',
                )}
              >
                <Icon aria-hidden="true" className={cx('size-4', current ? 'text-amber-text' : 'text-ink-3')} />
                {group.label}
              </Link>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}

export function TaskTabs({ task, catalog, onTaskChange }: TaskTabsProps) {
  const group = TASK_GROUPS.find((each) => task !== null && tasksInGroup(each).includes(task));
  if (!task || !group) return null;
  const tasks = tasksInGroup(group);
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
      {tasks.length > 1 ? (
        <nav aria-label="Task" className="min-w-0 max-md:flex-1">
          <ul className={rowClass}>
            {tasks.map((id) => (
              <li key={id} className="flex-none">
                {id === task || canRunTask(id, catalog) ? (
                  <Link
                    ref={id === task ? scrollTabIntoView : undefined}
                    {...createPageLink(id)}
                    onClick={() => onTaskChange?.(id)}
                    aria-current={id === task ? 'page' : undefined}
                    className={cx(
                      taskTabClass,
                      id === task ? 'bg-press font-medium text-ink' : 'text-ink-2 hover:bg-hover hover:text-ink',
                    )}
                  >
                    {taskLabel(id, catalog)}
                    {taskLabel(id, catalog) === taskName(id, catalog.tasks) ? null : (
                      <span className="sr-only">: {taskName(id, catalog.tasks)}</span>
                    )}
                  </Link>
                ) : (
                  <span
                    {...tooltipProps(taskUnavailableReason(id, catalog) ?? 'Unavailable on this service')}
                    className={cx(taskTabClass, 'text-ink-3 line-through')}
                  >
                    {taskLabel(id, catalog)}
                    <span className="sr-only"> (unavailable)</span>
                  </span>
                )}
              </li>
            ))}
          </ul>
        </nav>
      ) : null}
      <p className="text-sm text-ink-3 max-md:hidden">{taskDescription(task, catalog.tasks)}</p>
    </div>
  );
}
