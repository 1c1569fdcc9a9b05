import type { WorkflowRun } from '#contract/resources/workflow-run.ts';
import { Section } from '#web/ui/section.tsx';
import { formatStepCount } from '../runs/run-labels.ts';
import { RunGraph } from './run-graph.tsx';
import { Waterfall } from './waterfall.tsx';

/** The steps of a run twice: as they hang together, and in time. Where there is little room, in time alone. */
export function RunSteps({ run, openKey }: { run: WorkflowRun; openKey: string | undefined }) {
  return (
    <Section title="Steps" aside={<span className="text-sm text-ink-3">{formatStepCount(run.steps)}</span>}>
      <div className="mb-6 hidden @lg:block">
        <RunGraph run={run} openKey={openKey} />
      </div>
      <Waterfall run={run} openKey={openKey} />
    </Section>
  );
}
