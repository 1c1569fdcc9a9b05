import { useState } from 'react';
import { TASKS } from '#contract/catalog.ts';
import { ApiError } from '#web/api-errors.ts';
import { Button } from '#web/ui/button.tsx';
import { Callout } from '#web/ui/callout.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { formatMoney } from '#web/ui/money.tsx';
import { approving, lacksData, NO_DATA, unfitReason } from './case-words.ts';
import { caseWords, DecisionDialog } from './decision-dialog.tsx';
import { ResultChoice } from './result-choice.tsx';
import { ResultFiles } from './result-files.tsx';
import { type DecisionProps, useDecision } from './use-decision.ts';
import { useResultFiles } from './use-result-files.ts';

const TITLE = 'Approve this?';

/** The reason that names a field says more than the sentence for all of it. */
const problemWords = (problem: Error | null) =>
  problem instanceof ApiError ? (problem.details[0]?.message ?? problem.message) : (problem?.message ?? null);

/** Chooses what the result is, and says what approving does before it is done. */
export function ApproveDialog(props: DecisionProps) {
  const { generation, review, onClose } = props;
  const { task } = generation;
  const [note, setNote] = useState('');
  const [asked, setAsked] = useState(false);
  const unfit = unfitReason(generation, review);
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
  if (lacksData(generation, review.output.data)) return <NothingToApprove {...props} />;
  return (
    <DecisionDialog
      title={TITLE}
      generation={generation}
      go={`Approve · ${formatMoney(review.charge_usd)}`}
      busy={isPending}
      note={note}
      onNote={setNote}
      lacks_note={asked && note.trim() === ''}
      placeholder="Found it at the provider; it is what was asked for"
      consequences={approving(generation, review, uploading ? files.uploads.length : null)}
      problem={problemWords(problem)}
      onSubmit={submit}
      onClose={onClose}
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
    </DecisionDialog>
  );
}

function NothingToApprove({ generation, onClose }: Pick<DecisionProps, 'generation' | 'onClose'>) {
  return (
    <Dialog
      open
      title={TITLE}
      description={caseWords(generation)}
      onClose={onClose}
      footer={<Button onClick={onClose}>Close</Button>}
    >
      <Callout tone="amber" title="There is nothing to approve">
        {NO_DATA}
      </Callout>
    </Dialog>
  );
}
