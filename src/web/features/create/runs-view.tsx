import { RunStrip } from './run-strip.tsx';
import { GenerationRunView } from './generation-run-view.tsx';
import type { Run } from './runs.ts';
import { VariationGroup } from './variations/variation-group.tsx';
import { SideBySideRuns } from './side-by-side-runs.tsx';

export function RunsView({ runs, openRun }: { runs: readonly Run[]; openRun: Run }) {
  const group = openRun.group === undefined ? [] : runs.filter((run) => run.group === openRun.group);
  return (
    <>
      {openRun.together ? (
        <VariationGroup key={openRun.group} runs={group} />
      ) : group.length > 1 ? (
        <SideBySideRuns runs={group} />
      ) : (
        <GenerationRunView key={openRun.id} run={openRun} />
      )}
      {runs.length > 1 ? <RunStrip runs={runs} openRun={openRun} /> : null}
    </>
  );
}
