import type { WorkflowEstimate } from '#contract/resources/workflow-starter.ts';
import type { WorkflowRun } from '#contract/resources/workflow-run.ts';
import { priceLabel } from '#web/forms/price-lines.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Section } from '#web/ui/section.tsx';
import { TASK_ICONS } from '../steps/task-icons.ts';

interface RetryStepsProps {
  run: WorkflowRun;
  estimate: WorkflowEstimate | null;
}

export function RetrySteps({ run: { steps }, estimate }: RetryStepsProps) {
  const estimates = new Map((estimate?.steps ?? []).map((step) => [step.key, step]));
  const kept = estimate?.steps.filter((step) => step.kept).length ?? 0;
  return (
    <Section title="Steps of the new run">
      <p className="text-sm text-ink-2">
        {estimate ? keptSentence(kept) : 'Finished steps are kept where the inputs they use stay the same.'}
      </p>
      <ol aria-label="Steps of the new run" className="mt-3 divide-y divide-line rounded-md border border-line">
        {steps.map(({ key, name, task, status }) => {
          const Icon = TASK_ICONS[task];
          const step = estimates.get(key);
          return (
            <li key={key} className="flex min-h-12 items-center gap-3 px-3 py-2 text-sm">
              <Icon aria-hidden="true" className="size-4.5 flex-none stroke-[1.5] text-ink-3" />
              <span className="min-w-0 flex-1 font-medium wrap-anywhere">{name}</span>
              {step ? <Outcome step={step} finished={status === 'succeeded'} /> : null}
            </li>
          );
        })}
      </ol>
    </Section>
  );
}

function Outcome({ step, finished }: { step: WorkflowEstimate['steps'][number]; finished: boolean }) {
  if (step.kept) return <Badge tone="good">Kept</Badge>;
  if (step.maximum_count === 0) return <span className="text-ink-3">Skipped</span>;
  return (
    <span className="text-right text-ink-2 tabular-nums">
      {finished ? 'Runs again' : 'Runs'} · <span className="text-ink">{priceLabel(step)}</span>
    </span>
  );
}

function keptSentence(kept: number): string {
  if (kept === 0) return 'No finished step is kept: all steps run again.';
  return `${kept === 1 ? 'One finished step is' : `${kept} finished steps are`} kept and cost${kept === 1 ? 's' : ''} nothing.`;
}
