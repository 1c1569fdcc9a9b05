import { Bookmark } from 'lucide-react';
import { useState } from 'react';
import { createPortal } from 'react-dom';
import type { AnyModelId, TaskId } from '#contract/ids.ts';
import type { PresetSummary } from '#contract/resources/preset.ts';
import type { InputForm } from '#web/forms/values/input-form.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { Popover } from '#web/ui/overlays/popover.tsx';
import { showToast } from '#web/ui/overlays/toast-store.ts';
import { type PresetAction, PresetDialogs } from './preset-dialogs.tsx';
import { PresetList } from './preset-list.tsx';
import { useQuery } from '@tanstack/react-query';
import { queryError } from '#web/api/api-errors.ts';
import { recentPromptsQuery } from '#web/api/queries/presets.ts';
import { Kbd } from '#web/ui/display/kbd.tsx';
import { Skeleton } from '#web/ui/display/skeleton.tsx';

interface PresetsButtonProps {
  task: TaskId;
  model: AnyModelId | null;
  form: InputForm;
  /** The name of the text field that recent prompts are written to. */
  field: string;
}

/** Saves, applies and manages presets, and lists recent prompts. */
export function PresetsButton({ task, model, form, field }: PresetsButtonProps) {
  const [action, setAction] = useState<PresetAction | null>(null);
  const writePrompt = (prompt: string) => {
    const before = form.values()[field];
    form.setValue(field, prompt);
    if (typeof before !== 'string' || before.trim() === '' || before === prompt) return;
    showToast({
      title: 'Prompt replaced',
      action: { label: 'Undo', onPress: () => form.setValue(field, before) },
    });
  };
  return (
    <>
      <Popover
        align="start"
        aria-label="Presets"
        className="w-96 p-0"
        renderTrigger={(props) => (
          <Button {...props} size="sm" variant="ghost" icon={<Bookmark aria-hidden="true" className="size-4" />}>
            Presets
          </Button>
        )}
      >
        {(close) => {
          const start = (next: PresetAction) => {
            close();
            setAction(next);
          };
          return (
            <div className="flex flex-col">
              <PresetList
                task={task}
                onSave={() => start({ kind: 'save' })}
                onAction={(kind: Exclude<PresetAction['kind'], 'save'>, preset: PresetSummary) =>
                  start({ kind, preset })
                }
                onApply={close}
              />
              <RecentPrompts
                onChoose={(prompt) => {
                  close();
                  writePrompt(prompt);
                }}
              />
            </div>
          );
        }}
      </Popover>
      {action
        ? // Chrome drops the submit event of a form inside another form.
          createPortal(
            <PresetDialogs action={action} task={task} model={model} form={form} onClose={() => setAction(null)} />,
            document.body,
          )
        : null}
    </>
  );
}

/** One's own latest prompts, for those who do not press Up in the empty prompt. */
function RecentPrompts({ onChoose }: { onChoose: (prompt: string) => void }) {
  const recent = useQuery(recentPromptsQuery);
  const prompts = recent.data?.filter(({ task }) => task !== 'social.search');
  const problem = queryError(recent);
  return (
    <section aria-labelledby="recent-prompts" className="flex flex-col gap-1 p-3">
      <div className="flex items-center justify-between gap-2">
        <h3 id="recent-prompts" className="text-sm font-semibold">
          Recent prompts
        </h3>
        <span className="flex items-center gap-1.5 text-xs text-ink-3 pointer-coarse:hidden">
          <Kbd keys="↑" /> in the empty prompt
        </span>
      </div>
      {prompts ? (
        <ul aria-label="Recent prompts" className="-mx-1.5 flex max-h-52 flex-col overflow-y-auto">
          {prompts.map(({ prompt }) => (
            <li key={prompt}>
              <button
                type="button"
                dir="auto"
                onClick={() => onChoose(prompt)}
                className="line-clamp-2 w-full rounded-sm px-1.5 py-1 text-left text-sm text-ink-2 hover:bg-hover hover:text-ink pointer-coarse:min-h-11"
              >
                {prompt}
              </button>
            </li>
          ))}
          {prompts.length === 0 ? (
            <li className="px-1.5 py-1 text-sm text-ink-3">Prompts you generate with appear here.</li>
          ) : null}
        </ul>
      ) : problem ? (
        <p role="alert" className="flex flex-wrap items-center gap-2 text-sm text-ink-2">
          Recent prompts could not be loaded.
          <Button size="sm" onClick={() => void recent.refetch()}>
            Try again
          </Button>
        </p>
      ) : (
        <Skeleton className="h-8 rounded-sm" />
      )}
    </section>
  );
}
