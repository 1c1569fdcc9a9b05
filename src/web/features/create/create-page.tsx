import { getRouteApi, Link, useLocation } from '@tanstack/react-router';
import { useCallback, useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import type { TaskId } from '#contract/ids.ts';
import { useCatalogNames } from '#web/api/catalog-names.ts';
import { readLastModel, readLastTask, saveLastModel, saveLastTask } from '#web/api/last-model.ts';
import { type CreateSelection, resolveSelection } from './create-selection.ts';
import { CreateWorkspace } from './create-workspace.tsx';
import { transferToTask, type CreateTarget, type SwitchSummary } from './models/switch-model.ts';
import { TaskTabs } from './task-tabs.tsx';
import { useCatalog } from './use-catalog.ts';
import { useCannot } from '#web/api/queries/permissions.ts';
import { NotAllowed } from '#web/api/session/require-session.tsx';
import { useSession } from '#web/api/session/session.ts';
import { createPageLink } from '#web/api/create-page-link.ts';
import { buttonClass } from '#web/ui/controls/button.tsx';
import { EmptyState } from '#web/ui/display/empty-state.tsx';
import { Page } from '#web/ui/page.tsx';
import { readDraft, recordEdits, writeDraft } from '#web/forms/values/drafts.ts';
import { createInputForm, type InputForm } from '#web/forms/values/input-form.ts';
import { initialValues, isFilledIn } from '#web/forms/values/form-values.ts';
import { preloadValidator } from '#web/forms/values/validator.ts';
import { localServiceOrigin } from '#web/api/reference-info.ts';
import { isAddedTaskId, TASKS } from '#contract/catalog.ts';
import { isAddedModelId } from '#contract/ids.ts';
import { Skeleton } from '#web/ui/display/skeleton.tsx';
import { EmptyFrame } from './feed/empty-frame.tsx';
import { showFormTop } from './show-form-top.ts';
import { expectedRatio } from './feed/expected-ratio.ts';
import { lazyComponent } from '#web/ui/lazy-component.tsx';

const Prefill = lazyComponent(async () => (await import('./prefill/prefill-form.tsx')).Prefill);

const route = getRouteApi('/create/{-$task}/{-$model}');

export function CreatePage() {
  if (!useCannot('work.create')) return <CreateView />;
  return (
    <Page title="Create">
      <NotAllowed to="create media" />
    </Page>
  );
}

function CreateView() {
  const names = useCatalogNames();
  const params = route.useParams();
  const catalog = useCatalog();
  const signedIn = useSession() === 'signed_in';
  const [lastTask] = useState(readLastTask);
  const selection = resolveSelection(params, catalog, readLastModel, lastTask);
  useSaveTarget(params, selection);
  useFocusPromptOnArrival();
  const [switchSummary, setSwitchSummary] = useState<SwitchSummary | null>(null);
  const [revision, setRevision] = useState(0);
  const reloadDraft = useCallback(() => setRevision((count) => count + 1), []);
  const form = useGenerationForm(selection, revision);
  const search = route.useSearch();
  // An unknown model must not prefill the form of another one.
  const isPrefilling =
    selection.kind === 'ready' && (search.from ?? search.use ?? search.media ?? search.preset) !== undefined;
  // Added models are known once their list is loaded; what is reused may be theirs.
  const isLoading =
    catalog.models === undefined &&
    !catalog.failed &&
    (isPrefilling || [params.task, params.model, lastTask].some((id) => id !== undefined && isAdded(id)));
  const previous = usePreviousTarget(selection.kind === 'ready' && Object.keys(search).length === 0 ? selection : null);
  const column = useRef<HTMLDivElement>(null);
  const onPrefilled = (summary: SwitchSummary | null) => {
    setSwitchSummary(summary);
    reloadDraft();
    showFormTop(column.current);
  };
  const onTaskChange = (task: TaskId) => {
    const target = resolveSelection({ task }, catalog, readLastModel);
    if (form && target.kind === 'ready' && task !== selection.task) transferToTask(form, target);
    setSwitchSummary(null);
  };
  return (
    <div className="flex w-full max-w-[128rem] flex-col md:min-h-dvh">
      <title>{`${selection.kind === 'ready' ? names.task(selection.task) : 'Create'} · Emulsion`}</title>
      <header className="flex items-center gap-x-6 gap-y-2 border-line px-4 pt-5 max-md:flex-col max-md:items-stretch md:border-b md:px-8 md:pt-5 md:pb-3 lg:sticky lg:top-(--banner-height,0px) lg:z-10 lg:h-17 lg:bg-canvas">
        <h1 tabIndex={-1} className="text-xl font-semibold tracking-[-0.015em] outline-none">
          Create
        </h1>
        <TaskTabs task={selection.task} catalog={catalog} onTaskChange={onTaskChange} />
      </header>
      <div className="flex-1 lg:grid lg:grid-cols-[minmax(25rem,36rem)_minmax(0,1fr)]">
        <div
          ref={column}
          className="flex min-w-0 flex-col gap-5 px-4 pt-4 pb-6 md:px-8 md:pt-5 lg:sticky lg:top-[calc(4.25rem+var(--banner-height,0px))] lg:h-[calc(100dvh-4.25rem-var(--banner-height,0px))] lg:scroll-pb-64 lg:pb-0 lg:overflow-y-auto lg:[scrollbar-width:thin]"
        >
          {isLoading ? (
            <Skeleton className="h-96 rounded-md" />
          ) : selection.kind === 'not_found' ? (
            <NotFound selection={selection} />
          ) : form && !isPrefilling ? (
            <CreateWorkspace
              selection={selection}
              form={form}
              catalog={catalog}
              signedIn={signedIn}
              switchSummary={switchSummary}
              onSwitchSummary={setSwitchSummary}
              onDraftReplaced={reloadDraft}
            />
          ) : (
            <Prefill
              search={search}
              target={targetFromParams(params, selection)}
              previous={previous}
              models={catalog.models}
              signedIn={signedIn}
              onPrefilled={onPrefilled}
            />
          )}
        </div>
        <ResultPanel
          task={selection.task}
          form={form}
          previewsOnly={catalog.models?.every(({ engine }) => engine === 'preview') ?? false}
          signedIn={signedIn}
        />
      </div>
    </div>
  );
}

const isAdded = (id: string) => isAddedTaskId(id) || isAddedModelId(id);

/** Remembers what the URL names, so that Create opens it again. */
function useSaveTarget(params: { task?: string | undefined; model?: string | undefined }, selection: CreateSelection) {
  const target = targetFromParams(params, selection);
  const task = target?.task;
  const model = params.model === undefined ? null : target?.model;
  useEffect(() => {
    if (!task) return;
    saveLastTask(task);
    if (model) saveLastModel(task, model);
  }, [task, model]);
}

/** Entries of the history that showed Create: going back to one returns to what had the focus. */
const shownEntries = new Set<string>();

/** Whoever arrives with a keyboard writes a prompt at once: no letter is a shortcut then. */
function useFocusPromptOnArrival() {
  const entry = useLocation({ select: ({ state }) => state.key ?? '' });
  const [hasReturned] = useState(() => shownEntries.has(entry));
  useEffect(() => void shownEntries.add(entry), [entry]);
  useEffect(() => {
    if (!matchMedia('(pointer: fine) and (min-width: 64rem)').matches) return;
    if (hasReturned || document.querySelector('.modal')) return;
    const main = document.getElementById('main');
    const { activeElement } = document;
    if (main?.contains(activeElement) && activeElement?.matches('input, textarea, select, button, a')) return;
    const prompt = main?.querySelector<HTMLTextAreaElement>('textarea[name=prompt]');
    prompt?.focus({ preventScroll: true });
    prompt?.setSelectionRange(prompt.value.length, prompt.value.length);
  }, [hasReturned]);
}

/** The task and model that were open before the URL asked for a prefill. */
function usePreviousTarget(current: CreateTarget | null): CreateTarget | null {
  const [previous, setPrevious] = useState(current);
  if (current && (current.task !== previous?.task || current.model !== previous.model)) setPrevious(current);
  return previous;
}

function targetFromParams(
  params: { task?: string | undefined; model?: string | undefined },
  selection: CreateSelection,
): CreateTarget | null {
  return params.task && selection.kind === 'ready' ? { task: selection.task, model: selection.model } : null;
}

function NotFound({
  selection: { title, text, task },
}: {
  selection: Extract<CreateSelection, { kind: 'not_found' }>;
}) {
  const names = useCatalogNames();
  return (
    <EmptyState
      title={title}
      actions={
        <Link {...createPageLink(task)} className={buttonClass({ variant: 'primary' })}>
          {task ? names.task(task) : 'Start over'}
        </Link>
      }
    >
      {text}
    </EmptyState>
  );
}

/** @param revision changes when something else than the form writes the draft */
function useGenerationForm(selection: CreateSelection, revision: number): InputForm | null {
  const { task, model, contract } =
    selection.kind === 'ready' ? selection : { task: null, model: null, contract: null };
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
    if (!form || !task) return undefined;
    let previous = form.values();
    return form.subscribe(() => {
      const values = form.values();
      writeDraft(task, model, values);
      recordEdits(task, previous, values);
      previous = values;
    });
  }, [form, task, model]);
  return form;
}

const Results = lazyComponent(async () => (await import('./orders/results.tsx')).Results);

function ResultPanel({
  task,
  form,
  previewsOnly,
  signedIn,
}: {
  task: TaskId | null;
  form: InputForm | null;
  /** Whether no model is run by a provider. */
  previewsOnly: boolean;
  signedIn: boolean;
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
      {/* On narrow screens, the height allows scrolling to the result before it is loaded. */}
      <div
        id="result"
        tabIndex={-1}
        className="scroll-mt-3 outline-none max-lg:min-h-[calc(100dvh-4rem)] lg:scroll-mt-[calc(5rem+var(--banner-height,0px))]"
      >
        {signedIn ? (
          <Results
            empty={empty}
            previewsOnly={previewsOnly}
            fallback={<EmptyFrame ratio={ratio}>Loading…</EmptyFrame>}
          />
        ) : (
          empty
        )}
      </div>
    </div>
  );
}

const noSubscription = () => () => undefined;
