import type { WorkflowStarter } from '#contract/resources/workflow-starter.ts';
import { useCatalogNames } from '#web/api/catalog-names.ts';
import { graphNodeClass, StepGraph } from './step-graph.tsx';
import { TASK_ICONS } from './task-icons.ts';

type Step = WorkflowStarter['steps'][number];

export function StepOutline({ steps }: { steps: readonly Step[] }) {
  return (
    <div className="@container">
      <div className="hidden @lg:block">
        <StepGraph compact label="Steps" steps={steps}>
          {(step) => (
            <span className={graphNodeClass}>
              <StepSummary step={step} />
            </span>
          )}
        </StepGraph>
      </div>
      <ol aria-label="Steps" className="flex flex-col gap-2 @lg:hidden">
        {steps.map((step) => (
          <li key={step.key} className={`${graphNodeClass} min-h-14 py-2`}>
            <StepSummary step={step} />
          </li>
        ))}
      </ol>
    </div>
  );
}

function StepSummary({ step }: { step: Step }) {
  const names = useCatalogNames();
  const { name, task, model, is_list, is_optional } = step;
  const Icon = TASK_ICONS[task];
  return (
    <>
      <Icon aria-hidden="true" className="size-4.5 flex-none stroke-[1.5] text-ink-3" />
      <span className="min-w-0 flex-1">
        <span className="block truncate font-medium">{name}</span>
        <span className="block truncate text-xs text-ink-3">
          {[is_list ? 'Repeats' : is_optional ? 'Optional' : null, model ? names.model(model) : names.task(task)]
            .filter(Boolean)
            .join(' · ')}
        </span>
      </span>
    </>
  );
}
