import { RunStrip } from './run-strip.tsx';
import { GenerationRunView } from './generation-run-view.tsx';
import type { Run } from './runs.ts';
import { SideBySideRuns } from './side-by-side-runs.tsx';

/** The run that is looked at, with those that were started beside it, and the others of this tab. */
export function RunsView({ runs, open }: { runs: readonly Run[]; open: Run }) {
  const together = open.group === undefined ? [] : runs.filter(({ group }) => group === open.group);
  return (
    <>
      {together.length > 1 ? <SideBySideRuns runs={together} /> : <GenerationRunView key={open.id} run={open} />}
      {runs.length > 1 ? <RunStrip runs={runs} open={open} /> : null}
    </>
  );
}
