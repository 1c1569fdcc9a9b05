import { useRef } from 'react';
import type { WorkflowStarter } from '#contract/resources/workflow-starter.ts';
import { focusField } from '#web/forms/focus-field.ts';
import type { InputForm } from '#web/forms/input-form.ts';
import { TaskForm } from '#web/forms/task-form.tsx';
import { useFieldUploads } from '#web/forms/use-field-uploads.ts';
import { useSession } from '#web/api/session/session.ts';
import { TagFields } from '#web/forms/tags/tag-fields.tsx';
import { useCommands } from '#web/ui/commands.ts';
import { workflowEstimateQuery } from '#web/api/queries/workflow-starters.ts';
import { OrderBar } from '../order-bar.tsx';
import { formatPriceFrom } from '../starters/starter-labels.ts';
import { type StartFailure, StartNotices } from './start-problem.tsx';
import { useSubmitStarter } from './use-submit-starter.ts';
import { useWorkflowQuote } from './use-workflow-quote.ts';

export function StarterForm({ starter, form }: { starter: WorkflowStarter; form: InputForm }) {
  const uploads = useFieldUploads(form, `workflow/${starter.slug}`);
  const box = useRef<HTMLDivElement>(null);
  const { start, isPending, failure, clearFailure } = useSubmitStarter(starter.slug, form, (fields) => {
    // Not before the problems are on the page: they take room.
    requestAnimationFrame(() => box.current && focusField(box.current, fields));
  });
  const signed_in = useSession() === 'signed_in';
  const submit = () => {
    if (isPending || starter.available === false || uploads.pendingCount() > 0) return;
    void start();
  };
  useCommands([{ group: 'Workflows', label: 'Run', keys: 'mod+enter', run: submit }]);
  return (
    <div ref={box}>
      <TaskForm form={form} uploads={uploads} signed_in={signed_in} label={starter.name} onSubmit={submit}>
        {form.contract.fields.length === 0 ? <p className="text-ink-2">No inputs needed.</p> : null}
        {signed_in ? <TagFields /> : null}
        <RunBar starter={starter} form={form} busy={isPending} failure={failure} onAsked={clearFailure} />
      </TaskForm>
    </div>
  );
}

interface RunBarProps {
  starter: WorkflowStarter;
  form: InputForm;
  busy: boolean;
  failure: StartFailure | null;
  onAsked: () => void;
}

/** Apart from the form, so that a new price does not render the fields. */
function RunBar({ starter, form, busy, failure, onAsked }: RunBarProps) {
  const quote = useWorkflowQuote(
    form,
    (input) => workflowEstimateQuery(starter.slug, input),
    formatPriceFrom(starter) ?? null,
  );
  const notices = (
    <StartNotices
      failure={failure}
      minimum_usd={quote.estimate?.minimum_usd}
      isRequested={({ type, starter_slug }) => type === 'workflow_run' && starter_slug === starter.slug}
      onAsked={onAsked}
    />
  );
  return (
    <OrderBar quote={quote} action="Run" unavailable={starter.available === false} busy={busy} notices={notices} />
  );
}
