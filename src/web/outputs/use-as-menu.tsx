import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ArrowUpRight, ChevronDown } from 'lucide-react';
import type { TaskId } from '#contract/ids.ts';
import type { MediaKind } from '#contract/task.ts';
import { tasksQuery } from '#web/queries/catalog.ts';
import { Button } from '#web/ui/button.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import { Menu, menuItemClass } from '#web/ui/menu.tsx';
import { usesOf } from '#web/outputs/uses.ts';

export interface UseAsMenuProps {
  generationId: string;
  type: MediaKind;
  /** Which of the outputs or of the posts that were found, counted from 0. */
  which: { asset: number } | { post: number };
  /** An icon alone, for one of several. */
  compact?: boolean;
}

/** Takes an output along into the form of another task. */
export function UseAsMenu({ generationId, type, which, compact = false }: UseAsMenuProps) {
  const { data: tasks } = useQuery(tasksQuery);
  const isOn = (task: TaskId) => tasks?.some(({ id, available }) => id === task && available) ?? true;
  return (
    <Menu
      label="Use as input for"
      align="start"
      renderTrigger={(props) =>
        compact ? (
          <IconButton
            {...props}
            size="sm"
            label="Use as input"
            icon={<ArrowUpRight aria-hidden="true" className="size-4" />}
          />
        ) : (
          <Button
            {...props}
            icon={<ArrowUpRight aria-hidden="true" className="size-4" />}
            iconEnd={<ChevronDown aria-hidden="true" className="size-3.5 text-ink-3" />}
          >
            Use as input
          </Button>
        )
      }
    >
      {usesOf(type)
        .filter(({ task }) => isOn(task))
        .map(({ task, name }) => (
          <Link
            key={task}
            to="/create/{-$task}/{-$model}"
            params={{ task }}
            search={{ use: generationId, ...which }}
            role="menuitem"
            tabIndex={-1}
            className={menuItemClass}
          >
            {name}
          </Link>
        ))}
    </Menu>
  );
}
