import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { MAX_LIST_ORDERS, MAX_ORDER_BYTES } from '#contract/limits.ts';
import { ApiError } from '#web/api/api-errors.ts';
import { useStartBatch } from '#web/api/queries/batches.ts';
import { createIdempotencyKeys } from '#web/api/queries/idempotency-key.ts';
import { saveLastModel } from '#web/api/last-model.ts';
import { showTagProblems } from '#web/forms/tags/tag-problems.ts';
import { formatFileSize } from '#web/media/format-media.ts';
import { formatNumber } from '#web/ui/formats.ts';
import { parseAmount } from '#web/ui/controls/parse-amount.ts';
import { showToast } from '#web/ui/overlays/toast-store.ts';
import { deleteBatchDraft, readDraftFile, writeBatchDraft, writeDraftFile } from './batch-draft.ts';
import { keepRows } from './change-rows.ts';
import type { NewBatch } from './use-new-batch.ts';

function tooLargeMessage(bytes: number, count: number): string {
  const parts = Math.ceil(bytes / MAX_ORDER_BYTES);
  const limit = formatFileSize(MAX_ORDER_BYTES);
  return `These orders have ${formatFileSize(bytes)} in all, and a batch can have ${limit}. Split them into ${parts} batches of about ${formatNumber(Math.ceil(count / parts))} rows.`;
}

/** Starts the orders that are ready. Rows with problems stay as the next draft. */
export function useStart(batch: NewBatch) {
  const { form, dryRun, rows, metadata } = batch;
  const { mutateAsync: startBatch, isPending } = useStartBatch();
  const navigate = useNavigate();
  const [problem, setProblem] = useState<string | null>(null);
  const [keyOf] = useState(createIdempotencyKeys);

  const keepProblems = () => {
    const ids = dryRun.rows.flatMap(({ id, state }) => (state === 'problem' ? [id] : []));
    const kept = keepRows(form.getValues(), readDraftFile() ?? null, new Set(ids));
    if (!kept) return deleteBatchDraft();
    writeBatchDraft(kept.draft);
    writeDraftFile(kept.file);
    const title = ids.length === 1 ? '1 row was not started' : `${ids.length} rows were not started`;
    showToast({ title, detail: 'What has a problem is kept under “New batch”.' });
  };

  const start = async () => {
    const { ready, checkingCount } = dryRun;
    if (isPending || ready.length === 0 || checkingCount > 0 || rows.rows.length > MAX_LIST_ORDERS || rows.problem)
      return;
    setProblem(null);
    if (!(await form.trigger(['name', 'stop_at_usd'], { shouldFocus: true }))) return;
    const { name, stop_at_usd, task, model } = form.getValues();
    const body = {
      mode: 'list' as const,
      orders: [...ready],
      ...(name.trim() === '' ? {} : { name: name.trim() }),
      ...(stop_at_usd.trim() === '' ? {} : { stop_at_usd: parseAmount(stop_at_usd).amount }),
      ...(metadata ? { metadata } : {}),
    };
    const bytes = new TextEncoder().encode(JSON.stringify(body)).length;
    if (bytes > MAX_ORDER_BYTES) return setProblem(tooLargeMessage(bytes, ready.length));
    try {
      const { id } = await startBatch({ body, idempotency_key: keyOf(body) });
      if (model) saveLastModel(task, model);
      keepProblems();
      await navigate({ to: '/batches/$id', params: { id } });
    } catch (error) {
      if (error instanceof ApiError) showTagProblems(error.details);
      setProblem(error instanceof Error ? error.message : 'The batch could not be started. Try again.');
    }
  };
  return { start, problem, isStarting: isPending };
}
