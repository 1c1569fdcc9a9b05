import { type FocusEvent, useEffect, useState } from 'react';
import { createTabStorage } from '#web/api/tab-storage.ts';
import { Button } from '#web/ui/button.tsx';
import { Callout } from '#web/ui/callout.tsx';
import { useCommands } from '#web/ui/commands.ts';
import { Kbd } from '#web/ui/kbd.tsx';
import { SegmentedControl } from '#web/ui/segmented-control.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { EditorContext, useEditorState } from './editor-context.ts';
import { type EditorState, parseEditorState, starterShapeProblem, toDefinition } from './editor-state.ts';
import { createEditor, type Editor } from './editor.ts';
import { lazyComponent } from '#web/ui/lazy-component.tsx';
import { InputList } from './inputs/input-list.tsx';
import { parseJsonObject } from './parse-json-object.ts';
import { StarterBasics } from './starter-basics.tsx';
import { StarterOutputs } from './starter-outputs.tsx';
import { StepList } from './steps/step-list.tsx';
import { useStarterSave } from './use-starter-save.ts';
import { useStarterValidation } from './use-starter-validation.ts';

// Below the form, or on the other tab.
const ExampleSection = lazyComponent(async () => (await import('./example-section.tsx')).ExampleSection);
const ValidationCard = lazyComponent(async () => (await import('./validation-card.tsx')).ValidationCard);
const JsonView = lazyComponent(async () => (await import('./json-view.tsx')).JsonView);

export const editorDrafts = createTabStorage<EditorState>('emulsion.starters', 8);

interface StarterEditorProps {
  name: string;
  createInitialState: () => EditorState;
  slug: string | null;
  /** `updated_at` of the workflow as it is now; see `EditorState`. */
  base?: string | null;
  showsAllProblems: boolean;
  onRestarted?: () => void;
}

/** Edits a workflow as a form or as JSON. The draft survives navigation and reloads. */
export function StarterEditor({ name, onRestarted, ...props }: StarterEditorProps) {
  const [revision, setRevision] = useState(0);
  const restart = () => {
    editorDrafts.delete(name);
    setRevision((count) => count + 1);
    onRestarted?.();
  };
  return <EditorContent key={revision} name={name} {...props} onRestart={restart} />;
}

function EditorContent({
  name,
  createInitialState,
  slug,
  base = null,
  showsAllProblems,
  onRestart,
}: StarterEditorProps & { onRestart: () => void }) {
  const [draft] = useState(() => editorDrafts.get(name));
  const [editor] = useState(() => createEditor(draft ?? createInitialState(), showsAllProblems));
  const [saved, setSaved] = useState(false);
  useEffect(() => {
    let before = editor.state();
    return editor.subscribe(() => {
      if (editor.state() !== before) editorDrafts.set(name, editor.state());
      before = editor.state();
    });
  }, [editor, name]);
  const validation = useStarterValidation(editor);
  const { save, isPending, error } = useStarterSave(editor, slug, () => {
    setSaved(true);
    editorDrafts.delete(name);
  });
  useCommands([{ group: 'Workflows', label: 'Save workflow', keys: 'mod+enter', run: () => void save() }]);
  const markLeftField = ({ target }: FocusEvent<HTMLElement>) => {
    const path = target.closest<HTMLElement>('[data-path]')?.dataset['path']?.trim();
    if (path && target.matches('input, textarea, select')) editor.markTouched(path);
  };
  const label = slug === null ? 'Save workflow' : 'Save changes';
  const outdated = draft !== undefined && draft.base !== base && !saved;
  return (
    <EditorContext value={editor}>
      <div className="grid gap-x-10 gap-y-6 lg:grid-cols-[minmax(0,1fr)_20rem]" onBlur={markLeftField}>
        <div className="flex min-w-0 flex-col gap-6">
          {outdated ? <OutdatedNotice onRestart={onRestart} /> : null}
          {draft && !outdated ? <DraftNotice onRestart={onRestart} isNew={slug === null} /> : null}
          <EditorViews editor={editor} fixed={slug !== null} />
        </div>
        <div className="min-w-0">
          <div className="flex flex-col gap-3 lg:sticky lg:top-6">
            <ValidationCard validation={validation} fallback={<Skeleton className="h-24 rounded-md" />} />
            {error ? (
              <Callout tone="bad" title="Not saved">
                {error.message} Your changes are still here.
              </Callout>
            ) : null}
            <div className="flex items-center gap-3 max-lg:hidden">
              <Button variant="primary" busy={isPending} className="grow" onClick={() => void save()}>
                {label}
              </Button>
              <Kbd keys="mod+enter" />
            </div>
          </div>
        </div>
      </div>
      <div className="sticky bottom-0 z-10 -mx-4 mt-4 border-t border-line bg-canvas px-4 py-3 max-md:bottom-[calc(3.75rem+env(safe-area-inset-bottom))] md:-mx-8 md:px-8 lg:hidden">
        <Button variant="primary" busy={isPending} className="w-full" onClick={() => void save()}>
          {label}
          {validation.count ? ` · ${validation.count === 1 ? '1 problem' : `${validation.count} problems`}` : ''}
        </Button>
      </div>
    </EditorContext>
  );
}

const VIEWS = [
  { value: 'form', label: 'Form' },
  { value: 'json', label: 'JSON' },
] as const;

function EditorViews({ editor, fixed }: { editor: Editor; fixed: boolean }) {
  const json = useEditorState((state) => state.json);
  const parsed = json === null ? null : parseJsonObject(json);
  const isUnreadable = parsed !== null && (parsed.ok ? starterShapeProblem(parsed.value) !== null : true);
  const changeView = (view: (typeof VIEWS)[number]['value']) =>
    editor.change((state) => {
      if (view === 'json') return { ...state, json: state.json ?? JSON.stringify(toDefinition(state), null, 2) };
      return parsed?.ok ? parseEditorState(parsed.value, state.base) : state;
    });
  return (
    <>
      <SegmentedControl
        label="View"
        value={json === null ? 'form' : 'json'}
        options={VIEWS.map((view) => ({
          ...view,
          disabled: view.value === 'form' && isUnreadable,
          ...(view.value === 'form' && isUnreadable ? { hint: 'Fix the JSON first.' } : {}),
        }))}
        onChange={changeView}
      />
      {json === null ? (
        <>
          <StarterBasics fixed={fixed} />
          <InputList />
          <StepList />
          <StarterOutputs />
          <ExampleSection />
        </>
      ) : (
        <JsonView text={json} />
      )}
    </>
  );
}

function DraftNotice({ onRestart, isNew }: { onRestart: () => void; isNew: boolean }) {
  return (
    <Callout
      title="Unsaved draft restored"
      action={
        <Button size="sm" variant="ghost" onClick={onRestart}>
          {isNew ? 'Start over' : 'Discard changes'}
        </Button>
      }
    >
      This draft is kept in this tab until you save it.
    </Callout>
  );
}

function OutdatedNotice({ onRestart }: { onRestart: () => void }) {
  return (
    <Callout
      tone="amber"
      title="This workflow has changed since you started editing"
      action={
        <Button size="sm" onClick={onRestart}>
          Discard my changes
        </Button>
      }
    >
      Saving overwrites the newer version.
    </Callout>
  );
}
