import { FlaskConical } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { AddedModel } from '#contract/resources/added-model.ts';
import { ApiError } from '#web/api/api-errors.ts';
import { useTestAddedModel } from '#web/api/queries/added-models.ts';
import { newIdempotencyKey } from '#web/api/queries/idempotency-key.ts';
import { writeDraft } from '#web/forms/values/drafts.ts';
import { detailField } from '#web/forms/values/field-errors.ts';
import { focusField } from '#web/forms/focus-field.ts';
import type { InputForm } from '#web/forms/values/input-form.ts';
import { TaskForm } from '#web/forms/task-form.tsx';
import { useFieldUploads, usePendingUploadCount } from '#web/forms/use-field-uploads.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { Card } from '#web/ui/display/card.tsx';
import { ErrorText } from '#web/ui/controls/field.tsx';
import { lazyComponent } from '#web/ui/lazy-component.tsx';
import { Skeleton } from '#web/ui/display/skeleton.tsx';
import { quoteLabel, useLivePrice } from '#web/features/added-models/price/live-price.tsx';

const TestResults = lazyComponent(async () => (await import('./test-results.tsx')).TestResults);

interface TestCardProps {
  model: AddedModel;
  form: InputForm;
}

/** Runs a model with its form, as people will, at its price. */
export function TestCard({ model, form }: TestCardProps) {
  const { id, name, task, price, markup_percent } = model;
  const uploads = useFieldUploads(form, id);
  const pendingUploads = usePendingUploadCount(uploads);
  const container = useRef<HTMLDivElement>(null);
  const [problem, setProblem] = useState<string | null>(null);
  /** Of an order whose response was lost: sent again, it is placed once. */
  const unanswered = useRef<{ input: string; key: string } | null>(null);
  const test = useTestAddedModel();
  const { quote, reason } = useLivePrice(form, price, markup_percent);
  useEffect(() => form.subscribe(() => writeDraft(task, id, form.values())), [form, task, id]);

  const focusFirst = (names: ReadonlySet<string>) =>
    // The errors take room, so they must be rendered before the page scrolls.
    void requestAnimationFrame(() => container.current && focusField(container.current, names));
  const run = async (input: Record<string, unknown>) => {
    const text = JSON.stringify(input);
    const key = unanswered.current?.input === text ? unanswered.current.key : newIdempotencyKey();
    unanswered.current = { input: text, key };
    try {
      await test.mutateAsync({ id, input, idempotency_key: key });
      unanswered.current = null;
    } catch (error) {
      if (error instanceof ApiError) unanswered.current = null;
      const details = error instanceof ApiError ? error.details : [];
      const [other] = form.setServerErrors(details);
      const message = error instanceof Error ? error.message : 'Something went wrong. Try again.';
      setProblem(details.length === 0 ? message : (other?.message ?? null));
      focusFirst(new Set(details.map(detailField)));
    }
  };
  const submit = () => {
    if (test.isPending || pendingUploads > 0) return;
    setProblem(null);
    void form.submit(run, focusFirst);
  };
  return (
    <Card title="Test" description="One run as people will make it. It is charged to your organization.">
      <div ref={container} className="flex flex-col gap-5">
        <TaskForm form={form} uploads={uploads} signedIn label={`Test ${name}`} onSubmit={submit}>
          <div className="flex flex-col gap-2">
            <div role="alert" className="empty:hidden">
              <ErrorText>{problem}</ErrorText>
            </div>
            <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
              <Button
                type="submit"
                variant={model.tests.length > 0 ? 'secondary' : 'primary'}
                busy={test.isPending}
                aria-disabled={pendingUploads > 0 || undefined}
                icon={<FlaskConical aria-hidden="true" className="size-4" />}
              >
                {pendingUploads > 0 ? 'Waiting for uploads' : quote ? `Test · ${quoteLabel(quote)}` : 'Test'}
              </Button>
              <p aria-live="polite" className="text-sm text-ink-3">
                {quote ? null : reason}
              </p>
            </div>
          </div>
        </TaskForm>
        {model.tests.length > 0 ? (
          <TestResults model={model} fallback={<Skeleton className="h-64 w-full rounded-md" />} />
        ) : null}
      </div>
    </Card>
  );
}
