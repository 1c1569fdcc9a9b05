import { Link } from '@tanstack/react-router';
import { AudioLines, Clapperboard, Ellipsis, Image, type LucideIcon, Mic, Search } from 'lucide-react';
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
import { tooltipProps } from '#web/ui/overlays/tooltip-props.ts';

const icons = {
  Image,
  Video: Clapperboard,
  Sound: Mic,
  Soundtrack: AudioLines,
  'Social posts': Search,
  More: Ellipsis,
} satisfies Record<(typeof TASK_GROUPS)[number]['label'], LucideIcon>;

const groupClass =
  'flex h-9 items-center gap-2 rounded-md px-3 text-sm font-medium transition-colors pointer-coarse:h-11';
const taskClass = 'flex h-7.5 items-center rounded-sm px-2.5 text-sm transition-colors pointer-coarse:h-10';

/** Unlike `scrollIntoView`, this never scrolls the page. */
function scrollTabIntoView(link: HTMLElement | null): void {
  const list = link?.closest('nav');
  if (!link || !list) return;
  // Measuring in the next frame avoids a second layout of the first one.
  requestAnimationFrame(() => {
    const leftPx = link.getBoundingClientRect().left - list.getBoundingClientRect().left;
    list.scrollLeft += leftPx - (list.clientWidth - link.offsetWidth) / 2;
  });
}

interface TaskTabsProps {
  task: TaskId | null;
  catalog: CatalogAvailability;
  onTaskChange: (to: TaskId) => void;
}

/** One row: the groups of tasks, and the tasks of the open one beside its name. */
export function TaskTabs({ task, catalog, onTaskChange }: TaskTabsProps) {
  return (
    <nav
      aria-label="Task"
      className="relative -mx-4 min-w-0 overflow-x-auto px-4 py-0.5 [scrollbar-width:none] md:mx-0 md:px-0.5"
    >
      <ul className="flex w-max gap-1 md:w-auto md:flex-wrap">
        {TASK_GROUPS.map((group) => {
          const tasks = tasksInGroup(group);
          const isOpen = task !== null && tasks.includes(task);
          const target = isOpen ? task : tasks.find((id) => canRunTask(id, catalog));
          if (!target) return null;
          const hasTasks = isOpen && tasks.length > 1;
          const Icon = icons[group.label];
          const name = (
            <>
              <Icon aria-hidden="true" className={cx('size-4', isOpen ? 'text-amber-text' : 'text-ink-3')} />
              {group.label}
            </>
          );
          return (
            <li
              key={group.label}
              className={cx(
                'flex flex-none items-center rounded-md border',
                isOpen ? 'border-line-strong bg-surface' : 'border-transparent',
                hasTasks && 'pr-1',
              )}
            >
              {hasTasks ? (
                <span className={cx(groupClass, 'pr-2')}>{name}</span>
              ) : (
                <Link
                  ref={isOpen ? scrollTabIntoView : undefined}
                  {...createPageLink(target)}
                  onClick={() => onTaskChange(target)}
                  aria-current={isOpen ? 'page' : undefined}
                  {...tooltipProps(taskDescription(target, catalog.tasks))}
                  className={cx(groupClass, !isOpen && 'text-ink-2 hover:bg-hover hover:text-ink')}
                >
                  {name}
                </Link>
              )}
              {hasTasks ? (
                <ul className="flex gap-0.5">
                  {tasks.map((id) => (
                    <li key={id}>
                      <TaskTab id={id} is_current={id === task} catalog={catalog} onTaskChange={onTaskChange} />
                    </li>
                  ))}
                </ul>
              ) : null}
            </li>
          );
        })}
      </ul>
    </nav>
  );
}

function TaskTab({
  id,
  is_current,
  catalog,
  onTaskChange,
}: Omit<TaskTabsProps, 'task'> & { id: TaskId; is_current: boolean }) {
  const label = taskLabel(id, catalog);
  const fullName = taskName(id, catalog.tasks);
  if (!is_current && !canRunTask(id, catalog))
    return (
      <span
        {...tooltipProps(taskUnavailableReason(id, catalog) ?? 'Unavailable on this service')}
        className={cx(taskClass, 'text-ink-3 line-through')}
      >
        {label}
        <span className="sr-only"> (unavailable)</span>
      </span>
    );
  return (
    <Link
      ref={is_current ? scrollTabIntoView : undefined}
      {...createPageLink(id)}
      onClick={() => onTaskChange(id)}
      aria-current={is_current ? 'page' : undefined}
      {...tooltipProps(taskDescription(id, catalog.tasks))}
      className={cx(
        taskClass,
        is_current ? 'bg-press font-medium text-ink' : 'text-ink-2 hover:bg-hover hover:text-ink',
      )}
    >
      {label}
      {label === fullName ? null : <span className="sr-only">: {fullName}</span>}
    </Link>
  );
}
