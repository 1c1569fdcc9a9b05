import { isTaskId } from '#contract/catalog.ts';
import { useCatalogNames } from '#web/api/catalog-names.ts';
import { Badge } from '#web/ui/badge.tsx';
import { graphNodeClass, StepGraph } from '../../steps/step-graph.tsx';
import { TASK_ICONS } from '../../steps/task-icons.ts';
import { useEditorState } from '../editor-context.ts';
import { requiredStepKeys } from '../expressions.ts';

export function StepsPreview({ onOpen }: { onOpen: (id: string) => void }) {
  const names = useCatalogNames();
  const steps = useEditorState((state) => state.steps);
  if (steps.length < 2) return null;
  const nodes = steps.map((step) => ({ ...step, needs: requiredStepKeys(steps, step) }));
  return (
    <div className="@container">
      <div className="hidden @lg:block">
        <StepGraph label="Step graph" steps={nodes}>
          {(step) => {
            const Icon = isTaskId(step.task) ? TASK_ICONS[step.task] : null;
            return (
              <button type="button" onClick={() => onOpen(step.id)} className={`${graphNodeClass} hover:border-edge`}>
                {Icon ? <Icon aria-hidden="true" className="size-4.5 flex-none stroke-[1.5] text-ink-3" /> : null}
                <span className="min-w-0 flex-1">
                  <span className="block truncate font-medium">{step.name || step.key}</span>
                  <span className="block truncate text-xs text-ink-3">
                    {isTaskId(step.task) ? names.task(step.task) : step.task}
                  </span>
                </span>
                {step.for_each !== null ? <Badge>Repeats</Badge> : step.when !== null ? <Badge>Optional</Badge> : null}
              </button>
            );
          }}
        </StepGraph>
      </div>
    </div>
  );
}
