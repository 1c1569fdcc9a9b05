import { useEffect, useSyncExternalStore } from 'react';
import type { TaskId } from '#contract/ids.ts';
import { TASKS } from '#contract/catalog.ts';
import { EmptyFrame } from './empty-frame.tsx';
import { expectedRatio } from './expected-ratio.ts';
import { useOpenRun, useRuns } from './runs.ts';
import type { FormState } from '#web/forms/form-state.ts';
import { onDemand } from '#web/ui/on-demand.tsx';

/** Nothing of it is needed before there is a run. */
const Runs = onDemand(async () => (await import('./runs-view.tsx')).RunsView);

/** The result that is open, and the others of this tab. */
export function ResultPanel({
  task,
  form,
  signed_in,
}: {
  task: TaskId | null;
  form: FormState | null;
  signed_in: boolean;
}) {
  const runs = useRuns();
  const open = useOpenRun();
  const ratio = useSyncExternalStore(form?.subscribe ?? nothing, () =>
    form && task ? expectedRatio(form.contract, TASKS[task].media_type, form.values()) : null,
  );
  // Whoever fills in the form is about to need it, and may be offline by then.
  useEffect(() => form?.subscribe(Runs.preload), [form]);
  return (
    <section
      id="result"
      aria-label="Result"
      className="min-w-0 scroll-mt-3 border-line px-4 pb-8 max-lg:border-t max-lg:pt-6 md:px-8 lg:border-l lg:pt-5"
    >
      <div className="lg:sticky lg:top-5">
        {open && signed_in ? (
          <Runs runs={runs} open={open} fallback={<EmptyFrame ratio={ratio}>Sending…</EmptyFrame>} />
        ) : (
          <EmptyFrame ratio={ratio}>
            <h2 className="text-md font-semibold">No result yet</h2>
            <p className="max-w-72 text-ink-2">Results of this tab appear here.</p>
          </EmptyFrame>
        )}
      </div>
    </section>
  );
}

const nothing = () => () => undefined;
