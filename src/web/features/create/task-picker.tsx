import { Link } from '@tanstack/react-router';
import { AudioLines, Clapperboard, Image, type LucideIcon, Scissors, Search } from 'lucide-react';
import { TASKS } from '#contract/catalog.ts';
import type { TaskId } from '#contract/ids.ts';
import type { Purpose } from '#contract/task.ts';
import { type Catalog, isOffered, PURPOSES, purposes, tasksFor } from './offer.ts';
import { createAddress } from '#web/shell/create-address.ts';
import { cx } from '#web/ui/cx.ts';
import { tooltip } from '#web/ui/tooltip.tsx';

const icons = {
  make_image: Image,
  make_video: Clapperboard,
  edit_video: Scissors,
  sound: AudioLines,
  find_ideas: Search,
} satisfies Record<Purpose, LucideIcon>;

const row = '-mx-4 flex gap-1 overflow-x-auto px-4 [scrollbar-width:none] md:mx-0 md:flex-wrap md:px-0';

const subTask = 'flex h-7.5 items-center rounded-sm px-2.5 text-sm transition-colors pointer-coarse:h-10';

/** On a phone a row is wider than the screen: what is chosen comes into sight, and the page stays where it is. */
function reveal(link: HTMLElement | null): void {
  const list = link?.closest('ul');
  if (!link || !list) return;
  // Measured with the next frame, so that the first one is laid out once.
  requestAnimationFrame(() => {
    const from_left = link.getBoundingClientRect().left - list.getBoundingClientRect().left;
    list.scrollLeft += from_left - (list.clientWidth - link.offsetWidth) / 2;
  });
}

/** What a person wants, and what of that: each a link, so that every place has an address. */
export function TaskPicker({
  task,
  catalog,
  onLeave,
}: {
  task: TaskId | null;
  catalog: Catalog;
  /** Called before the address changes. */
  onLeave?: (to: TaskId) => void;
}) {
  const purpose = task && TASKS[task].purpose;
  const offered = purposes.flatMap((each) => {
    const tasks = tasksFor(each);
    const first = tasks.find((id) => isOffered(id, catalog));
    return first || each === purpose ? [{ purpose: each, tasks, first: first ?? task }] : [];
  });
  const chosen = offered.find((each) => each.purpose === purpose);
  return (
    <nav aria-label="What to make" className="flex flex-col gap-2">
      <ul className={row}>
        {offered.map((each) => {
          const Icon = icons[each.purpose];
          const current = each.purpose === purpose;
          const target = current && task ? task : each.first;
          if (!target) return null;
          return (
            <li key={each.purpose} className="flex-none">
              <Link
                ref={current ? reveal : undefined}
                {...createAddress(target)}
                onClick={() => onLeave?.(target)}
                aria-current={current ? 'true' : undefined}
                className={cx(
                  'flex h-9 items-center gap-2 rounded-md border px-3 text-sm font-medium transition-colors pointer-coarse:h-11',
                  current
                    ? 'border-line-strong bg-surface text-ink'
                    : 'border-transparent text-ink-2 hover:bg-hover hover:text-ink',
                )}
              >
                <Icon aria-hidden="true" className={cx('size-4', current ? 'text-amber-text' : 'text-ink-3')} />
                {PURPOSES[each.purpose]}
              </Link>
            </li>
          );
        })}
      </ul>
      {chosen ? (
        <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
          <ul className={cx(row, 'min-w-0 max-md:flex-1')}>
            {chosen.tasks.map((id) => (
              <li key={id} className="flex-none">
                {id === task || isOffered(id, catalog) ? (
                  <Link
                    ref={id === task ? reveal : undefined}
                    {...createAddress(id)}
                    onClick={() => onLeave?.(id)}
                    aria-current={id === task ? 'page' : undefined}
                    className={cx(
                      subTask,
                      id === task ? 'bg-press font-medium text-ink' : 'text-ink-2 hover:bg-hover hover:text-ink',
                    )}
                  >
                    {TASKS[id].name}
                  </Link>
                ) : (
                  <span {...tooltip('Switched off on this service')} className={cx(subTask, 'text-ink-3 line-through')}>
                    {TASKS[id].name}
                    <span className="sr-only"> (switched off)</span>
                  </span>
                )}
              </li>
            ))}
          </ul>
          {task ? <p className="text-sm text-ink-3 max-md:hidden">{TASKS[task].description}</p> : null}
        </div>
      ) : null}
    </nav>
  );
}
