import { RunStrip } from './run-strip.tsx';
import { RunView } from './run-view.tsx';
import type { Run } from './runs.ts';

/** The run that is looked at, and the others of this tab. */
export function RunsView({ runs, open }: { runs: readonly Run[]; open: Run }) {
  return (
    <>
      <RunView key={open.id} run={open} />
      {runs.length > 1 ? <RunStrip runs={runs} open={open} /> : null}
    </>
  );
}
