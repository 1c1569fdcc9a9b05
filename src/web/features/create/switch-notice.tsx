import { useNavigate } from '@tanstack/react-router';
import { X } from 'lucide-react';
import type { SwitchSummary, UndoStep } from './switch-model.ts';
import { createPageLink } from '#web/api/create-page-link.ts';
import { deleteDraft, writeDraft } from '#web/forms/drafts.ts';
import { Button } from '#web/ui/button.tsx';
import { formatList } from '#web/ui/formats.ts';
import { IconButton } from '#web/ui/icon-button.tsx';

export function SwitchNotice({
  summary,
  onUndone,
  onClose,
}: {
  summary: SwitchSummary;
  onUndone: () => void;
  onClose: () => void;
}) {
  const navigate = useNavigate();
  const undo = ({ to, draft: { task, model, values } }: UndoStep) => {
    if (values) writeDraft(task, model, values);
    else deleteDraft(task, model);
    onClose();
    onUndone();
    void navigate({ ...createPageLink(to.task, to.model), replace: true });
  };
  const step = summary.undo;
  return (
    <div
      aria-live="polite"
      className="animate-rise rounded-md border border-line-strong bg-surface py-2 pr-2 pl-3 text-sm"
    >
      <div className="flex items-center gap-2">
        <p className="min-w-0 flex-1 font-medium">{summary.title}</p>
        {step ? (
          <Button size="sm" variant="ghost" onClick={() => undo(step)}>
            Undo
          </Button>
        ) : null}
        <IconButton size="sm" label="Close" icon={<X aria-hidden="true" className="size-4" />} onClick={onClose} />
      </div>
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 gap-y-0.5 pb-1 text-ink-2">
        {summary.changed.length > 0 ? (
          <>
            <dt className="text-ink-3">Changed</dt>
            <dd>{formatList(summary.changed.map(({ label, from, to }) => `${label} ${from} → ${to}`))}</dd>
          </>
        ) : null}
        {summary.dropped.length > 0 ? (
          <>
            <dt className="text-ink-3">Dropped</dt>
            <dd>{formatList(summary.dropped.map(({ label, value }) => `${label} ${value}`))}</dd>
          </>
        ) : null}
        {summary.restored.length > 0 ? (
          <>
            <dt className="text-ink-3">Restored</dt>
            <dd>{formatList(summary.restored.map(({ label, value }) => `${label} ${value}`))}</dd>
          </>
        ) : null}
        {summary.kept.length > 0 ? (
          <>
            <dt className="text-ink-3">Kept</dt>
            <dd>{formatList(summary.kept)}</dd>
          </>
        ) : null}
      </dl>
    </div>
  );
}
