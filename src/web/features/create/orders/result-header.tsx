import type { ReactNode } from 'react';
import type { Generation } from '#contract/resources/generation.ts';
import { useCatalogNames } from '#web/api/catalog-names.ts';
import { useModelName } from '#web/api/model-names.ts';
import { summarizeInput, workTitle } from '#web/forms/inputs/describe-input.ts';
import { PreviewBadge } from '#web/features/create/preview-badge.tsx';

type ResultHeaderProps = Pick<Generation, 'task' | 'model' | 'input'> & {
  /** Names the result where it has no prompt. */
  output?: Generation['output'];
  /** Hides the prompt, which is shown once above all results. */
  sideBySide: boolean;
  /** Whether the result was drawn on this machine. */
  preview?: boolean;
  children?: ReactNode;
};

/** Set for one of several results. */
export interface GroupedResultProps {
  /** CSS length. */
  maxHeight?: string;
  /** For the names of its buttons. */
  name?: string;
  /** Shares its model and cancel button with the group. */
  isVariation?: boolean;
  /** Discards the other results of the group. */
  onKeepOnly?: (() => void) | undefined;
  /** The service does not respond. */
  isUnreachable?: boolean;
}

export function ResultHeader({ task, model, input, output, sideBySide, preview = false, children }: ResultHeaderProps) {
  const names = useCatalogNames();
  const nameModel = useModelName();
  const heading = names.modelOrTask({ task, model });
  const text = summarizeInput({ task, model, input }, names);
  const subtitle =
    text === names.task(task) ? workTitle({ task, model, input, ...(output && { output }) }, names) : text;
  return (
    <header className="flex min-w-0 flex-col gap-1">
      <div className="flex min-h-7 min-w-0 flex-wrap items-center gap-x-3">
        <h2 className="min-w-0 truncate font-semibold">{model && !preview ? nameModel(model) : heading}</h2>
        {preview && !sideBySide ? <PreviewBadge /> : null}
        {children}
      </div>
      {sideBySide || subtitle === heading ? null : (
        <p dir="auto" className="line-clamp-2 text-sm wrap-anywhere text-ink-2">
          {subtitle}
        </p>
      )}
    </header>
  );
}

export const resultLayout = (sideBySide: boolean) =>
  sideBySide ? 'flex min-w-0 flex-col gap-1.5' : 'flex min-w-0 flex-col gap-3';

/** Reserves the space of the actions, so that the results below do not move when the result arrives. */
export const ActionsPlaceholder = ({ sideBySide }: { sideBySide: boolean }) =>
  sideBySide ? <div className="h-7 pointer-coarse:h-9" /> : null;
