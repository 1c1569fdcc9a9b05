import { X } from 'lucide-react';
import type { SwitchSummary } from './switch-model.ts';
import { Button } from '#web/ui/button.tsx';
import { formatList } from '#web/ui/formats.ts';
import { IconButton } from '#web/ui/icon-button.tsx';

export function SwitchNotice({
  summary,
  onUndo,
  onClose,
}: {
  summary: SwitchSummary;
  onUndo: () => void;
  onClose: () => void;
}) {
  return (
    <div
      aria-live="polite"
      className="animate-rise rounded-md border border-line-strong bg-surface py-2 pr-2 pl-3 text-sm"
    >
      <div className="flex items-center gap-2">
        <p className="min-w-0 flex-1 font-medium">{summary.title}</p>
        {summary.undo ? (
          <Button size="sm" variant="ghost" onClick={onUndo}>
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
