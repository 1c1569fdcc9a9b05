import { useEffect, useState } from 'react';
import type { WorkflowRun } from '#contract/resources/workflow-run.ts';
import { useCommands } from '#web/ui/commands.ts';

const group = 'Workflows';

/** The runs by keyboard: where it is in the list follows the focus and survives rows coming and going. */
export function useRunKeys(rows: readonly WorkflowRun[]) {
  const [at, setAt] = useState<string>();
  const [reveal, setReveal] = useState<{ index: number } | null>(null);
  const index = rows.findIndex(({ id }) => id === at);
  useEffect(() => {
    const id = reveal && rows[reveal.index]?.id;
    if (!id) return;
    document.querySelector<HTMLElement>(`[data-run="${CSS.escape(id)}"]`)?.focus({ preventScroll: true });
    // Rows that come or go must not take the focus back to where the keyboard was.
    // oxlint-disable-next-line react/exhaustive-deps -- see above
  }, [reveal]);
  const step = (by: 1 | -1) => {
    const next = index === -1 ? 0 : index + by;
    const row = rows[next];
    if (!row) return;
    setAt(row.id);
    setReveal({ index: next });
  };
  useCommands([
    { group, label: 'Next run', keys: 'j', hiddenInPalette: true, run: () => step(1) },
    { group, label: 'Run before', keys: 'k', hiddenInPalette: true, run: () => step(-1) },
  ]);
  return { index, reveal, onFocus: setAt };
}
