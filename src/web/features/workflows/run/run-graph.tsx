import type { WorkflowRun, WorkflowRunStep } from '#contract/resources/workflow-run.ts';
import { AssetThumbnail } from '#web/media/outputs/asset-thumbnail.tsx';
import { cx } from '#web/ui/cx.ts';
import { Money } from '#web/api/money.tsx';
import { STEP_STATUS_STYLES, formatItemProgress } from '../steps/step-status.tsx';
import { graphNodeClass, StepGraph } from '../steps/step-graph.tsx';
import { TASK_ICONS } from '../steps/task-icons.ts';
import { StepLink } from './step-link.tsx';
import { stepFiles } from './read-results.ts';

const toneClasses = {
  neutral: 'text-ink-3',
  amber: 'text-amber-text',
  good: 'text-good',
  info: 'text-info',
  bad: 'text-bad',
  review: 'text-review',
};

export function RunGraph({ run, openKey }: { run: WorkflowRun; openKey: string | undefined }) {
  const steps = run.steps.map((step) => ({ ...step, needs: step.needs ?? [] }));
  return (
    <StepGraph label="Step graph" steps={steps} lineClass={lineClass}>
      {(step) => <RunGraphNode run_id={run.id} step={step} openKey={openKey} />}
    </StepGraph>
  );
}

function lineClass(from: WorkflowRunStep, to: WorkflowRunStep): string {
  if (to.status === 'running') return 'stroke-amber';
  if (to.status === 'stopped' || to.status === 'skipped') return 'stroke-line-strong [stroke-dasharray:4_4]';
  return from.status === 'succeeded' || from.status === 'skipped' ? 'stroke-edge' : 'stroke-line-strong';
}

function RunGraphNode({
  run_id,
  step,
  openKey,
}: {
  run_id: string;
  step: WorkflowRunStep;
  openKey: string | undefined;
}) {
  const { key, name, task, status, progress, kept, amount_usd } = step;
  const { label, tone, icon } = STEP_STATUS_STYLES[status];
  const percent = status === 'running' && typeof progress === 'number' ? ` ${Math.floor(progress * 100)}%` : '';
  const statusText = kept ? 'Kept' : (formatItemProgress(step)?.replace(/ done$/, '') ?? `${label}${percent}`);
  const isInactive = status === 'skipped' || status === 'stopped';
  return (
    <StepLink
      run_id={run_id}
      stepKey={key}
      openKey={openKey}
      className={cx(
        graphNodeClass,
        'relative overflow-hidden transition-colors hover:border-edge',
        key === openKey && 'border-amber! shadow-[inset_0_0_0_1px_var(--amber)]',
        isInactive && 'border-dashed',
      )}
    >
      <AssetThumbnail asset={stepFiles(step)[0]} icon={TASK_ICONS[task]} className="size-9 rounded-sm" />
      <span className="min-w-0 flex-1">
        <span className={cx('block truncate font-medium', isInactive && 'text-ink-2')}>{name}</span>
        <span className="flex items-center gap-1.5 text-xs text-ink-3 tabular-nums">
          <span
            className={cx(
              'flex min-w-0 flex-1 items-center gap-1 [&>svg]:size-3.5 [&>svg]:flex-none',
              toneClasses[tone],
            )}
          >
            {icon}
            <span className="truncate">{statusText}</span>
          </span>
          {amount_usd && Number(amount_usd) > 0 ? <Money amount_usd={amount_usd} /> : null}
        </span>
      </span>
      {status === 'running' ? (
        <span
          aria-hidden="true"
          className="absolute inset-x-0 bottom-0 h-0.5 origin-left bg-amber transition-transform"
          style={{ transform: `scaleX(${progress ?? 0})` }}
        />
      ) : null}
    </StepLink>
  );
}
