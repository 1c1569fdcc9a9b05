import { useEffect, useSyncExternalStore } from 'react';
import type { TaskId } from '#contract/ids.ts';
import { TASKS } from '#contract/catalog.ts';
import { EmptyFrame } from './empty-frame.tsx';
import { expectedRatio } from './expected-ratio.ts';
import { useOpenRun, useRuns } from './runs.ts';
import type { InputForm } from '#web/forms/input-form.ts';
import { cx } from '#web/ui/cx.ts';
import { lazyComponent } from '#web/ui/lazy-component.tsx';

const Runs = lazyComponent(async () => (await import('./runs-view.tsx')).RunsView);

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
  const openRun = useOpenRun();
  const ratio = useSyncExternalStore(form?.subscribe ?? noSubscription, () =>
    form && task ? expectedRatio(form.contract, TASKS[task].media_type, form.values()) : null,
  );
  // The form may be submitted offline, when the view could no longer be loaded.
  useEffect(() => form?.subscribe(Runs.preload), [form]);
  const run = signed_in ? openRun : null;
  return (
    <section
      id="result"
      aria-label="Result"
      className={cx(
        'min-w-0 scroll-mt-16 border-line px-4 pb-8 max-lg:border-t max-lg:pt-6 md:scroll-mt-3 md:px-8 lg:border-l lg:pt-5',
        // On narrow screens, the height allows scrolling to the panel before the result has its size.
        run && 'max-lg:min-h-[calc(100dvh-4rem)]',
      )}
    >
      <div className="lg:sticky lg:top-5">
        {run ? (
          <Runs runs={runs} openRun={run} fallback={<EmptyFrame ratio={ratio}>Sending…</EmptyFrame>} />
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

const noSubscription = () => () => undefined;
