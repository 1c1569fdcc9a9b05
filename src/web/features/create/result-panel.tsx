import { RunStrip } from '#web/features/create/run-strip.tsx';
import { RunView } from '#web/features/create/run-view.tsx';
import { useOpenRun, useRuns } from '#web/features/create/runs.ts';

/** What came of pressing the button: the run that is looked at, and the others of this tab. */
export function ResultPanel({ signed_in }: { signed_in: boolean }) {
  const runs = useRuns();
  const open = useOpenRun();
  return (
    <section
      id="result"
      aria-label="Result"
      className="min-w-0 border-line px-4 pb-8 max-lg:border-t max-lg:pt-6 md:px-8 lg:sticky lg:top-0 lg:flex lg:h-dvh lg:flex-col lg:overflow-y-auto lg:border-l lg:pt-7"
    >
      {open && signed_in ? <RunView key={open.id} run={open} /> : <NoResult />}
      {signed_in && runs.length > 1 ? <RunStrip runs={runs} open={open} /> : null}
    </section>
  );
}

function NoResult() {
  return (
    <div className="frame-marks flex min-h-56 flex-1 flex-col items-center justify-center px-6 py-12 text-center">
      <h2 className="text-md font-semibold">Nothing made yet</h2>
      <p className="max-w-84 text-ink-2">
        Say what you want and press the button. The result appears here, and stays in your generations.
      </p>
    </div>
  );
}
