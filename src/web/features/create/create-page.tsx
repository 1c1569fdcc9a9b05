import { getRouteApi, Link } from '@tanstack/react-router';
import { useEffect, useState, useMemo } from 'react';
import { TASKS } from '#contract/catalog.ts';
import type { TaskId } from '#contract/ids.ts';
import { readLastModel } from './last-model.ts';
import { type CreateSelection, resolveSelection } from './create-selection.ts';
import { PrefillStatus } from './prefill-status.tsx';
import { ResultPanel } from './result-panel.tsx';
import type { CreateSearch } from './create-search.ts';
import { CreateWorkspace } from './create-workspace.tsx';
import { transferToTask, type CreateTarget, type SwitchSummary } from './switch-model.ts';
import { GroupTabs, TaskTabs } from './task-tabs.tsx';
import { useCatalog } from './use-catalog.ts';
import { usePrefill } from './use-prefill.ts';
import { onSessionChange, useSession } from '#web/api/session/session.ts';
import { createPageLink } from '#web/api/create-page-link.ts';
import { buttonClass } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { readDraft, writeDraft } from '#web/forms/drafts.ts';
import { createInputForm, type InputForm } from '#web/forms/input-form.ts';
import { initialValues, isFilledIn } from '#web/forms/form-values.ts';
import { preloadValidator } from '#web/forms/validator.ts';
import { localServiceOrigin } from '#web/api/reference-info.ts';

const EMPTY_SEARCH: CreateSearch = {};
const route = getRouteApi('/create/{-$task}/{-$model}');

/** The page of a task and model: the form, and the results beside it. */
export function CreatePage() {
  const params = route.useParams();
  const catalog = useCatalog();
  const signed_in = useSession() === 'signed_in';
  const choice = resolveSelection(params, catalog, readLastModel);
  const [note, setNote] = useState<SwitchSummary | null>(null);
  const [revision, setRevision] = useState(0);
  const revise = () => setRevision((count) => count + 1);
  // Signing out deletes the drafts.
  useEffect(() => onSessionChange((state) => state === 'signed_out' && setRevision((count) => count + 1)), []);
  const form = useGenerationForm(choice, revision);
  const search = route.useSearch();
  // An unknown model must not prefill the form of another one.
  const wish = choice.kind === 'ready' ? search : EMPTY_SEARCH;
  const previous = usePreviousTarget(choice.kind === 'ready' && Object.keys(search).length === 0 ? choice : null);
  const prefill = usePrefill(wish, targetFromParams(params, choice), previous, signed_in, (filled) => {
    setNote(filled);
    revise();
  });
  const leaveFor = (task: TaskId) => {
    const target = resolveSelection({ task }, catalog, readLastModel);
    if (form && target.kind === 'ready' && task !== choice.task) transferToTask(form, target);
    setNote(null);
  };
  return (
    <div className="flex w-full max-w-[128rem] flex-col md:min-h-dvh">
      <title>{`${choice.kind === 'ready' ? TASKS[choice.task].name : 'Create'} · Emulsion`}</title>
      <header className="flex flex-col gap-x-6 gap-y-2 border-line px-4 pt-5 md:border-b md:px-8 md:pt-6 md:pb-3">
        <div className="flex flex-wrap items-center gap-x-6 gap-y-2">
          <h1 tabIndex={-1} className="text-xl font-semibold tracking-[-0.015em] outline-none">
            Create
          </h1>
          <GroupTabs task={choice.task} catalog={catalog} onLeave={leaveFor} />
        </div>
        <TaskTabs task={choice.task} catalog={catalog} onLeave={leaveFor} />
      </header>
      <div className="flex-1 lg:grid lg:grid-cols-[minmax(25rem,36rem)_minmax(0,1fr)]">
        <div className="flex min-w-0 flex-col gap-5 px-4 pt-4 pb-6 md:px-8 md:pt-5">
          {choice.kind === 'lost' ? (
            <UnknownModel choice={choice} />
          ) : prefill.state === 'none' && form ? (
            <CreateWorkspace
              selection={choice}
              form={form}
              catalog={catalog}
              signed_in={signed_in}
              switchSummary={note}
              onSwitchSummary={setNote}
              onDraftReplaced={revise}
            />
          ) : (
            <PrefillStatus prefill={prefill} signed_in={signed_in} />
          )}
        </div>
        <ResultPanel task={choice.task} form={form} signed_in={signed_in} />
      </div>
    </div>
  );
}

/** The task and model that were open before the URL asked for a prefill. */
function usePreviousTarget(open: CreateTarget | null): CreateTarget | null {
  const [last, setLast] = useState(open);
  if (open && (open.task !== last?.task || open.model !== last.model)) setLast(open);
  return last;
}

/** The task and model that a URL names; null if it names neither. */
function targetFromParams(
  params: { task?: string | undefined; model?: string | undefined },
  choice: CreateSelection,
): CreateTarget | null {
  return params.task && choice.kind === 'ready' ? { task: choice.task, model: choice.model } : null;
}

function UnknownModel({ choice: { title, text, task } }: { choice: Extract<CreateSelection, { kind: 'lost' }> }) {
  return (
    <EmptyState
      title={title}
      actions={
        <Link {...createPageLink(task)} className={buttonClass({ variant: 'primary' })}>
          {task ? TASKS[task].name : 'Start over'}
        </Link>
      }
    >
      {text}
    </EmptyState>
  );
}

/**
 * The form of a task and model, restored from its draft and saved to it on each change; null without a task.
 * @param revision changes when something else writes the draft
 */
function useGenerationForm(choice: CreateSelection, revision: number): InputForm | null {
  const { task, model, contract } = choice.kind === 'ready' ? choice : { task: null, model: null, contract: null };
  const form = useMemo(
    () =>
      task &&
      createInputForm(contract, readDraft(task, model, contract) ?? initialValues(contract), localServiceOrigin),
    // oxlint-disable-next-line react/exhaustive-deps -- a new revision means that the draft must be read again
    [task, model, contract, revision],
  );
  useEffect(() => {
    // A restored draft is about to be priced, which needs the validator.
    if (contract && form && contract.fields.some((field) => isFilledIn(field, form.values()[field.name])))
      preloadValidator();
  }, [contract, form]);
  useEffect(() => {
    if (form && task) return form.subscribe(() => writeDraft(task, model, form.values()));
    return undefined;
  }, [form, task, model]);
  return form;
}
