import { useSyncExternalStore } from 'react';
import { askedRatio } from './asked-ratio.ts';
import { EmptyFrame } from './empty-frame.tsx';
import { RunStrip } from './run-strip.tsx';
import { RunView } from './run-view.tsx';
import { useOpenRun, useRuns } from './runs.ts';
import type { FormState } from '#web/forms/form-state.ts';

/** What came of pressing the button: the run that is looked at, and the others of this tab. */
export function ResultPanel({ form, signed_in }: { form: FormState | null; signed_in: boolean }) {
  const runs = useRuns();
  const open = useOpenRun();
  return (
    <section
      id="result"
      aria-label="Result"
      className="min-w-0 scroll-mt-16 border-line px-4 pb-8 max-lg:border-t max-lg:pt-6 md:px-8 lg:border-l lg:pt-5"
    >
      <div className="lg:sticky lg:top-5">
        {open && signed_in ? <RunView key={open.id} run={open} /> : <NoResult form={form} />}
        {signed_in && runs.length > 1 ? <RunStrip runs={runs} open={open} /> : null}
      </div>
    </section>
  );
}

const nothing = () => () => undefined;

function NoResult({ form }: { form: FormState | null }) {
  const ratio = useSyncExternalStore(form?.subscribe ?? nothing, () =>
    form ? askedRatio(form.contract, form.values()) : null,
  );
  return (
    <EmptyFrame ratio={ratio}>
      <h2 className="text-md font-semibold">Nothing made yet</h2>
      <p className="max-w-72 text-ink-2">Fill in the form and press the button. The result appears here.</p>
    </EmptyFrame>
  );
}
