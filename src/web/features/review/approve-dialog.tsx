import { useId, useState } from 'react';
import { TASKS } from '#contract/catalog.ts';
import { ApiError } from '#web/api-errors.ts';
import { summaryOf } from '#web/inputs/describe-input.ts';
import { Button } from '#web/ui/button.tsx';
import { Callout } from '#web/ui/callout.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { formatMoney } from '#web/ui/money.tsx';
import { approving, lacksData, NO_DATA, unfitReason } from './case-words.ts';
import { DecisionForm } from './decision-form.tsx';
import { ResultChoice } from './result-choice.tsx';
import { ResultFiles } from './result-files.tsx';
import { type DecisionProps, useDecision } from './use-decision.ts';
import { useResultFiles } from './use-result-files.ts';

/** The reason that names a field says more than the sentence for all of it. */
const problemWords = (problem: Error | null) =>
  problem instanceof ApiError ? (problem.details[0]?.message ?? problem.message) : (problem?.message ?? null);

/** Chooses what the result is, and says what approving does before it is done. */
export function ApproveDialog(props: DecisionProps) {
  const { generation, review, onClose } = props;
  const { task, model, input } = generation;
  const form = useId();
  const [note, setNote] = useState('');
  const [asked, setAsked] = useState(false);
  const unfit = unfitReason(generation, review);
  const hopeless = lacksData(generation, review.output.data);
  const [uploading, setUploading] = useState(unfit !== null);
  const files = useResultFiles();
  const { decide, isPending, problem } = useDecision(props);
  const { min_assets, max_assets } = TASKS[task].output;
  const lacks_files = uploading && files.uploads.length < Math.max(1, min_assets);
  const submit = () => {
    setAsked(true);
    if (note.trim() === '' || lacks_files || files.under_way > 0) return;
    const upload_ids = uploading ? { upload_ids: files.uploads.map(({ id }) => id) } : {};
    void decide({ decision: 'approve', note: note.trim(), ...upload_ids });
  };
  return (
    <Dialog
      open
      title="Approve this?"
      description={summaryOf(task, model, input)}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{hopeless ? 'Close' : 'Keep it in review'}</Button>
          {hopeless ? null : (
            <Button type="submit" form={form} variant="primary" busy={isPending}>
              Approve · {formatMoney(review.charge_usd)}
            </Button>
          )}
        </>
      }
    >
      {hopeless ? (
        <Callout tone="amber" title="There is nothing to approve">
          {NO_DATA}
        </Callout>
      ) : (
        <DecisionForm
          id={form}
          note={note}
          onNote={setNote}
          lacks_note={asked && note.trim() === ''}
          placeholder="Found it at the provider; it is what was asked for"
          consequences={approving(generation, review, uploading ? files.uploads.length : null)}
          problem={problemWords(problem)}
          onSubmit={submit}
        >
          {max_assets === 0 ? null : (
            <ResultChoice review={review} unfit={unfit} uploading={uploading} onChange={setUploading} />
          )}
          {uploading ? (
            <ResultFiles
              files={files}
              media={TASKS[task].media_type}
              most={max_assets}
              problem={asked && lacks_files && files.under_way === 0 ? 'Add the file that is the result.' : undefined}
            />
          ) : null}
        </DecisionForm>
      )}
    </Dialog>
  );
}
