import { Sparkles, Undo2, X } from 'lucide-react';
import type { RefObject } from 'react';
import { formatMoney } from '#contract/money/money.ts';
import { useImprovement } from '#web/api/queries/presets.ts';
import type { PromptTarget } from '#web/forms/form-context.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { useCommands } from '#web/ui/hooks/commands.ts';
import { ErrorText } from '#web/ui/controls/field.tsx';
import { IconButton } from '#web/ui/controls/icon-button.tsx';
import { Spinner } from '#web/ui/display/progress.tsx';
import { usePromptImprovement } from './use-prompt-improvement.ts';

interface ImprovePromptProps {
  box: RefObject<HTMLTextAreaElement | null>;
  prompt: string;
  target: PromptTarget;
}

/** Rewrites the prompt with the text model that is connected, and returns to what was typed. */
export function ImprovePrompt({ box, prompt, target }: ImprovePromptProps) {
  const costUsd = useImprovement()?.typical_cost_usd ?? null;
  const { improvement, canUndo, start, cancel, use, undo, dismiss } = usePromptImprovement({ box, prompt, target });
  const { status } = improvement;
  const isEmpty = prompt.trim() === '';
  useCommands(
    status === 'busy' || isEmpty
      ? []
      : [{ group: 'Create', label: 'Improve the prompt', icon: Sparkles, run: () => void start() }],
  );
  const label =
    costUsd === null ? 'Rewrite it with more detail' : `Rewrite it with more detail, for about ${formatMoney(costUsd)}`;
  return (
    <>
      {status === 'busy' ? (
        <Button size="sm" variant="ghost" icon={<Spinner />} aria-label="Cancel improving" onClick={cancel}>
          Cancel
        </Button>
      ) : (
        <Button
          size="sm"
          variant="ghost"
          icon={<Sparkles aria-hidden="true" className="size-4" />}
          aria-disabled={isEmpty || undefined}
          data-tooltip={isEmpty ? 'Write a few words first' : label}
          onClick={() => void start()}
        >
          Improve
        </Button>
      )}
      {canUndo ? (
        <Button
          size="sm"
          variant="ghost"
          icon={<Undo2 aria-hidden="true" className="size-4" />}
          data-tooltip="Return to your words (Ctrl or ⌘ Z in the prompt)"
          onClick={undo}
        >
          Undo
        </Button>
      ) : null}
      <span className="sr-only" aria-live="polite">
        {status === 'busy' ? 'Improving the prompt' : null}
        {canUndo ? 'Prompt improved. Undo returns to your words.' : null}
      </span>
      {improvement.status === 'ready' ? (
        <output className="mx-1.5 flex basis-full flex-col gap-2 rounded-md border border-line bg-sunken p-3 text-sm">
          <span className="font-medium">You changed the prompt meanwhile. Improved, it was:</span>
          <span dir="auto" className="max-h-40 overflow-y-auto wrap-anywhere whitespace-pre-line text-ink-2">
            {improvement.after}
          </span>
          <span className="flex flex-wrap gap-2">
            <Button size="sm" onClick={() => use(improvement.after)}>
              Use it
            </Button>
            <Button size="sm" variant="ghost" onClick={dismiss}>
              Keep mine
            </Button>
          </span>
        </output>
      ) : null}
      {improvement.status === 'failed' ? (
        <div role="alert" className="flex basis-full items-start gap-2 px-1.5">
          <div className="min-w-0 flex-1">
            <ErrorText>Not improved. {improvement.message}</ErrorText>
          </div>
          <IconButton size="sm" label="Dismiss" icon={<X aria-hidden="true" className="size-4" />} onClick={dismiss} />
        </div>
      ) : null}
    </>
  );
}
