import type { WorkflowStarter } from '#contract/resources/workflow-starter.ts';
import { useCatalogNames } from '#web/api/catalog-names.ts';
import { TASK_ICONS } from './task-icons.ts';

export function StepOutline({ steps }: { steps: WorkflowStarter['steps'] }) {
  const names = useCatalogNames();
  return (
    <ol aria-label="Steps" className="border-t border-line text-sm">
      {steps.map(({ key, name, task, model, is_list, is_optional }) => {
        const Icon = TASK_ICONS[task];
        const kind = is_list ? 'Repeats' : is_optional ? 'Optional' : null;
        return (
          <li key={key} className="flex min-h-14 items-center gap-2.5 border-b border-line px-1 py-2">
            <Icon aria-hidden="true" className="size-4.5 flex-none stroke-[1.5] text-ink-3" />
            <span className="min-w-0 flex-1">
              <span className="block truncate font-medium">{name}</span>
              <span className="block truncate text-xs text-ink-3">
                {[kind, model ? names.model(model) : names.task(task)].filter(Boolean).join(' · ')}
              </span>
            </span>
          </li>
        );
      })}
    </ol>
  );
}
