import { useNavigate } from '@tanstack/react-router';
import { type FocusEvent, useEffect, useState } from 'react';
import { FormProvider, useForm, useWatch } from 'react-hook-form';
import { ApiError } from '#web/api/api-errors.ts';
import { useSaveStarter } from '#web/api/queries/workflow-starters.ts';
import { createDraftStorage } from '#web/api/drafts/draft-storage.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { Callout } from '#web/ui/display/callout.tsx';
import { useCommands } from '#web/ui/hooks/commands.ts';
import { Disclosure } from '#web/ui/controls/disclosure.tsx';
import { Kbd } from '#web/ui/display/kbd.tsx';
import { lazyComponent } from '#web/ui/lazy-component.tsx';
import { Skeleton } from '#web/ui/display/skeleton.tsx';
import { TextArea, TextInput } from '#web/ui/controls/text-input.tsx';
import { showToast } from '#web/ui/overlays/toast-store.ts';
import { useStarterForm } from './editor-parts.tsx';
import { focusPath } from './focus-path.ts';
import { InputList } from './inputs/input-list.tsx';
import { ResultList } from './result-list.tsx';
import { formatDefinition, slugify, type StarterDefinition, type StarterValues } from './starter-values.ts';
import { StepList } from './steps/step-list.tsx';
import { PathField, useStarterValidation, ValidationProvider } from './validation.tsx';

// Below the form, or in its place.
const ExampleSection = lazyComponent(async () => (await import('./example-section.tsx')).ExampleSection);
const ValidationCard = lazyComponent(async () => (await import('./validation-card.tsx')).ValidationCard);
const JsonView = lazyComponent(async () => (await import('./json-view.tsx')).JsonView);

interface Draft {
  values: StarterValues;
  /** `updated_at` of the workflow when editing began; null for a new one. */
  base: string | null;
}

export const editorDrafts = createDraftStorage<Draft>('starter-drafts', 8);

interface StarterEditorProps {
  name: string;
  createValues: () => StarterValues;
  slug: string | null;
  /** The latest `updated_at` of the workflow. */
  base?: string | null;
  showsAllProblems: boolean;
  onRestarted?: () => void;
}

/** Edits a workflow as a form or as JSON. The draft survives navigation and reloads. */
export function StarterEditor({ onRestarted, ...props }: StarterEditorProps) {
  const [revision, setRevision] = useState(0);
  const restart = () => {
    editorDrafts.delete(props.name);
    setRevision((count) => count + 1);
    onRestarted?.();
  };
  return <EditorContent key={revision} {...props} onRestart={restart} />;
}

function EditorContent({
  name,
  createValues,
  slug,
  base = null,
  showsAllProblems,
  onRestart,
}: StarterEditorProps & { onRestart: () => void }) {
  const [draft] = useState(() => editorDrafts.get(name));
  const [initial] = useState(() => draft?.values ?? createValues());
  const form = useForm<StarterValues>({ defaultValues: initial });
  const { subscribe, getValues } = form;
  useEffect(
    () =>
      subscribe({
        formState: { values: true },
        callback: () =>
          editorDrafts.set(name, { values: structuredClone(getValues()), base: draft ? draft.base : base }),
      }),
    [subscribe, getValues, name, draft, base],
  );
  const isOutdated = draft !== undefined && draft.base !== base;
  return (
    <FormProvider {...form}>
      <ValidationProvider showsAll={showsAllProblems}>
        <EditorLayout name={name} slug={slug}>
          {draft ? <DraftNotice isNew={slug === null} isOutdated={isOutdated} onRestart={onRestart} /> : null}
          <EditorViews slug={slug} />
        </EditorLayout>
      </ValidationProvider>
    </FormProvider>
  );
}

/** Routes of the dashboard use these names in place of slugs. */
const RESERVED_SLUGS = ['new', 'runs'];

/** @param slug null for a new workflow */
function useSave(name: string, slug: string | null) {
  const { getValues } = useStarterForm();
  const { reject, showAll, isReadable } = useStarterValidation();
  const { mutateAsync, isPending } = useSaveStarter();
  const [error, setError] = useState<Error | null>(null);
  const navigate = useNavigate();
  const showProblems = (problems: readonly { path: string; message: string }[]) => {
    reject(problems);
    const [first] = problems;
    // The problems take up space, so scrolling waits for them.
    if (first) requestAnimationFrame(() => focusPath(first.path));
  };
  const save = async () => {
    setError(null);
    showAll();
    if (!isReadable || isPending) return;
    const body = JSON.parse(formatDefinition(getValues())) as StarterDefinition;
    if (slug === null && RESERVED_SLUGS.includes(String(body.slug)))
      return showProblems([{ path: 'slug', message: 'This name is reserved. Choose another one.' }]);
    try {
      const saved = await mutateAsync({ slug, body });
      editorDrafts.delete(name);
      showToast({ title: 'Workflow saved', detail: 'Everyone in your organization can run it.', tone: 'good' });
      await navigate({ to: '/workflows/$slug', params: { slug: saved.slug }, search: {} });
    } catch (cause) {
      if (cause instanceof ApiError && cause.details.length > 0) showProblems(cause.details);
      else setError(cause instanceof Error ? cause : new Error('The workflow could not be saved.'));
    }
  };
  return { save: () => void save(), isPending, error };
}

function EditorLayout({ name, slug, children }: { name: string; slug: string | null; children: React.ReactNode }) {
  const { visible: problems, markTouched } = useStarterValidation();
  const { save, isPending, error } = useSave(name, slug);
  useCommands([{ group: 'Workflows', label: 'Save workflow', keys: 'mod+enter', run: save }]);
  const markLeftField = ({ target }: FocusEvent<HTMLElement>) => {
    const path = target.closest<HTMLElement>('[data-path]')?.dataset['path'];
    if (path && target.matches('input, textarea, select, [role=textbox]')) markTouched(path);
  };
  const label = slug === null ? 'Save workflow' : 'Save changes';
  return (
    <>
      <div className="grid gap-x-10 gap-y-6 lg:grid-cols-[minmax(0,1fr)_20rem]" onBlur={markLeftField}>
        <div className="flex min-w-0 flex-col gap-6">{children}</div>
        <div className="min-w-0">
          <div className="flex flex-col gap-3 lg:sticky lg:top-6">
            <ValidationCard fallback={<Skeleton className="h-24 rounded-md" />} />
            {error ? (
              <Callout tone="bad" title="Not saved">
                {error.message} Your changes are still here.
              </Callout>
            ) : null}
            <div className="flex items-center gap-3 max-lg:hidden">
              <Button variant="primary" busy={isPending} className="grow" onClick={save}>
                {label}
              </Button>
              <Kbd keys="mod+enter" />
            </div>
          </div>
        </div>
      </div>
      <div className="sticky bottom-0 z-10 -mx-4 mt-4 border-t border-line bg-canvas px-4 py-3 max-md:bottom-[calc(3.75rem+env(safe-area-inset-bottom))] md:-mx-8 md:px-8 lg:hidden">
        <Button variant="primary" busy={isPending} className="w-full" onClick={save}>
          {label}
          {problems.length > 0 ? ` · ${problems.length === 1 ? '1 problem' : `${problems.length} problems`}` : ''}
        </Button>
      </div>
    </>
  );
}

function EditorViews({ slug }: { slug: string | null }) {
  const json = useWatch<StarterValues, 'json'>({ name: 'json' });
  if (json !== null) return <JsonView text={json} />;
  return (
    <>
      <StarterBasics isNew={slug === null} />
      <InputList isNew={slug === null} />
      <StepList isNew={slug === null} />
      <ResultList />
      <ExampleSection />
      <StarterAdvanced isNew={slug === null} />
    </>
  );
}

function StarterBasics({ isNew }: { isNew: boolean }) {
  const { register, setValue } = useStarterForm();
  const [name, slug] = useWatch<StarterValues, ['name', 'slug']>({ name: ['name', 'slug'] });
  return (
    <div className="grid gap-4">
      <PathField label="Name" required path="name">
        <TextInput
          placeholder="Product clip"
          {...register('name', {
            // The URL name follows until it is edited.
            onChange: ({ target }: { target: { value: string } }) => {
              if (isNew && slug === slugify(name)) setValue('slug', slugify(target.value));
            },
          })}
        />
      </PathField>
      <PathField label="Description" optional path="description">
        <TextArea rows={2} placeholder="What this workflow creates" {...register('description')} />
      </PathField>
    </div>
  );
}

function StarterAdvanced({ isNew }: { isNew: boolean }) {
  const { register, getValues, setValue } = useStarterForm();
  return (
    <Disclosure summary="Advanced" className="border-t border-line pt-3">
      <div className="flex flex-col items-start gap-4">
        <PathField
          label="URL name"
          required
          path="slug"
          className="w-full"
          hint={
            isNew
              ? 'Used in links and API calls. Can’t be changed later.'
              : 'Can’t be changed: runs and API calls use it.'
          }
        >
          <TextInput
            readOnly={!isNew}
            spellCheck={false}
            autoCapitalize="off"
            className="font-mono text-sm"
            {...register('slug')}
          />
        </PathField>
        <Button size="sm" onClick={() => setValue('json', formatDefinition(getValues()))}>
          Edit as JSON
        </Button>
      </div>
    </Disclosure>
  );
}

interface DraftNoticeProps {
  isNew: boolean;
  /** The workflow was saved by somebody else since. */
  isOutdated: boolean;
  onRestart: () => void;
}

function DraftNotice({ isNew, isOutdated, onRestart }: DraftNoticeProps) {
  return (
    <Callout
      {...(isOutdated ? { tone: 'amber' } : {})}
      title={isOutdated ? 'This workflow has changed since you started editing' : 'Unsaved draft restored'}
      action={
        <Button size="sm" onClick={onRestart}>
          {isNew ? 'Start over' : 'Discard my changes'}
        </Button>
      }
    >
      {isOutdated
        ? 'Saving overwrites the newer version.'
        : 'This draft is kept on this device until you save it or sign out.'}
    </Callout>
  );
}
