import { useEffect, useSyncExternalStore } from 'react';
import type { TaskId } from '#contract/ids.ts';
import { TASKS } from '#contract/catalog.ts';
import { EmptyFrame } from './empty-frame.tsx';
import { expectedRatio } from './expected-ratio.ts';
import { useOpenRun, useRuns } from './runs.ts';
import type { InputForm } from '#web/forms/input-form.ts';
import { cx } from '#web/ui/cx.ts';
import { lazyComponent } from '#web/ui/lazy-component.tsx';

/** Nothing of it is needed before there is a run. */
const Runs = lazyComponent(async () => (await import('./runs-view.tsx')).RunsView);

/** The result that is open, and the others of this tab. */
export function ResultPanel({
  task,
  form,
  signed_in,
}: {
  task: TaskId | null;
  form: InputForm | null;
  signed_in: boolean;
}) {
  const runs = useRuns();
  const open = useOpenRun();
  const ratio = useSyncExternalStore(form?.subscribe ?? subscribeToNothing, () =>
    form && task ? expectedRatio(form.contract, TASKS[task].media_type, form.values()) : null,
  );
  // Whoever fills in the form is about to need it, and may be offline by then.
  useEffect(() => form?.subscribe(Runs.preload), [form]);
  const shown = signed_in ? open : null;
  return (
    <section
      id="result"
      aria-label="Result"
      className={cx(
        'min-w-0 scroll-mt-16 border-line px-4 pb-8 max-lg:border-t max-lg:pt-6 md:scroll-mt-3 md:px-8 lg:border-l lg:pt-5',
        // Below the form, it can then be scrolled to the top before the result is there.
        shown && 'max-lg:min-h-[calc(100dvh-4rem)]',
      )}
    >
      <div className="lg:sticky lg:top-5">
        {shown ? (
          <Runs runs={runs} open={shown} fallback={<EmptyFrame ratio={ratio}>Sending…</EmptyFrame>} />
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

const subscribeToNothing = () => () => undefined;
