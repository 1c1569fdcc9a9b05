import { useEffect, useSyncExternalStore } from 'react';
import type { TaskId } from '#contract/ids.ts';
import { TASKS } from '#contract/catalog.ts';
import { EmptyFrame } from './empty-frame.tsx';
import { expectedRatio } from './expected-ratio.ts';
import type { InputForm } from '#web/forms/input-form.ts';
import { lazyComponent } from '#web/ui/lazy-component.tsx';

const PreviewNotice = lazyComponent(
  async () => (await import('./preview-notice.tsx')).PreviewNotice,
  () => null,
);
const Results = lazyComponent(async () => (await import('./results.tsx')).Results);

export function ResultPanel({
  task,
  form,
  previews_only,
  signed_in,
}: {
  task: TaskId | null;
  form: InputForm | null;
  /** Whether no model is run by a provider. */
  previews_only: boolean;
  signed_in: boolean;
}) {
  const ratio = useSyncExternalStore(form?.subscribe ?? noSubscription, () =>
    form && task ? expectedRatio(form.contract, TASKS[task].media_type, form.values()) : null,
  );
  // The form may be submitted offline, when the view could no longer be loaded.
  useEffect(() => form?.subscribe(Results.preload), [form]);
  const empty = (
    <section aria-label="Result">
      <EmptyFrame ratio={ratio}>
        <h2 className="text-md font-semibold">No result yet</h2>
        <p className="max-w-72 text-ink-2">Your results appear here.</p>
      </EmptyFrame>
    </section>
  );
  return (
    <div className="min-w-0 border-line px-4 pb-8 max-lg:border-t max-lg:pt-6 md:px-8 lg:border-l lg:pt-5">
      {signed_in && previews_only ? <PreviewNotice /> : null}
      <div id="result" tabIndex={-1} className="scroll-mt-3 outline-none">
        {signed_in ? <Results empty={empty} fallback={<EmptyFrame ratio={ratio}>Loading…</EmptyFrame>} /> : empty}
      </div>
    </div>
  );
}

const noSubscription = () => () => undefined;
