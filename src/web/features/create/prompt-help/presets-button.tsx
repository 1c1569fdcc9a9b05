import { Bookmark } from 'lucide-react';
import { useState } from 'react';
import { createPortal } from 'react-dom';
import type { ModelId, TaskId } from '#contract/ids.ts';
import type { PresetSummary } from '#contract/resources/preset.ts';
import type { InputForm } from '#web/forms/input-form.ts';
import { Button } from '#web/ui/button.tsx';
import { Popover } from '#web/ui/popover.tsx';
import { showToast } from '#web/ui/toast-store.ts';
import { type PresetAction, PresetDialogs } from './preset-dialogs.tsx';
import { PresetList } from './preset-list.tsx';
import { RecentPrompts } from './recent-prompts.tsx';

interface PresetsButtonProps {
  task: TaskId;
  model: ModelId | null;
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
