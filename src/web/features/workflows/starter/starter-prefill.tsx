import { useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { X } from 'lucide-react';
import { useEffect, useEffectEvent, useState } from 'react';
import type { WorkflowRun } from '#contract/resources/workflow-run.ts';
import type { WorkflowStarter } from '#contract/resources/workflow-starter.ts';
import type { InputForm } from '#web/forms/values/input-form.ts';
import type { FormValues } from '#web/forms/values/form-values.ts';
import { valuesFromInput } from '#web/forms/models/switch-input.ts';
import { runQuery } from '#web/api/queries/workflow-runs.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { Callout } from '#web/ui/display/callout.tsx';
import { IconButton } from '#web/ui/controls/icon-button.tsx';
import { exampleValues } from './use-draft-form.ts';

const route = getRouteApi('/workflows/$slug');

/** The last change of the form, with its previous values. */
interface PrefillNotice {
  title: string;
  before: FormValues;
}

/** Fills the form with what an earlier run was given, where the address names one; what stood there before can come back. */
export function StarterPrefill({ form, starter }: { form: InputForm; starter: WorkflowStarter }) {
  const [note, setNote] = useState<PrefillNotice | null>(null);
  const { error, again } = usePrefillRun((run) => {
    setNote({ title: 'Inputs restored from an earlier run', before: form.values() });
    form.setValues(valuesFromInput(form.contract, run.input));
  });
  if (error)
    return (
      <Callout
        tone="amber"
        title="Earlier inputs could not be loaded"
        action={
          <Button size="sm" onClick={again}>
            Try again
          </Button>
        }
      >
        {error.message}
      </Callout>
    );
  if (!note) return null;
  const undo = () => {
    form.setValues(note.before);
    setNote(null);
  };
  const clear = () => {
    setNote({ title: 'Form reset', before: note.before });
    form.setValues(exampleValues(form.contract, starter));
  };
  return (
    <Callout
      title={note.title}
      action={
        <span className="-my-1 flex flex-none items-center gap-1">
          <Button size="sm" variant="ghost" onClick={undo}>
            Undo
          </Button>
          <Button size="sm" variant="ghost" onClick={clear}>
            Clear
          </Button>
          <IconButton
            size="sm"
            label="Dismiss"
            icon={<X aria-hidden="true" className="size-4" />}
            onClick={() => setNote(null)}
          />
        </span>
      }
    />
  );
}

/** Reads the run that the address names, once, and takes it out of the address. */
function usePrefillRun(onRun: (run: WorkflowRun) => void) {
  const { from } = route.useSearch();
  const navigate = route.useNavigate();
  const client = useQueryClient();
  const [error, setError] = useState<Error | null>(null);
  const read = (id: string) => client.ensureQueryData(runQuery(id));
  const take = (run: WorkflowRun) => {
    setError(null);
    onRun(run);
    void navigate({ search: {}, replace: true, resetScroll: false });
  };
  const fail = (problem: unknown) =>
    setError(problem instanceof Error ? problem : new Error('The service did not respond.'));
  const begin = useEffectEvent((id: string, isGone: () => boolean) => {
    read(id).then(
      (run) => isGone() || take(run),
      (problem: unknown) => isGone() || fail(problem),
    );
  });
  useEffect(() => {
    if (from === undefined) return;
    let gone = false;
    begin(from, () => gone);
    return () => {
      gone = true;
    };
  }, [from]);
  const again = () => void (from !== undefined && read(from).then(take, fail));
  return { error: from === undefined ? null : error, again };
}
