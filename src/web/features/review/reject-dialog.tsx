import { useDialogForm } from '#web/forms/form-dialog.tsx';
import { rejecting } from './case-words.ts';
import { DecisionDialog, type DecisionValues, NO_DECISION } from './decision-dialog.tsx';
import { type DecisionProps, useDecision } from './use-decision.ts';

/** Rejects, once it is confirmed what that does. */
export function RejectDialog(props: DecisionProps) {
  const { generation, review, onClose } = props;
  const form = useDialogForm<DecisionValues>(NO_DECISION);
  const decide = useDecision(props);
  return (
    <DecisionDialog
      form={form}
      title="Reject this?"
      generation={generation}
      submitLabel="Reject"
      variant="danger"
      placeholder="The provider confirms that it was lost"
      consequences={rejecting(generation, review)}
      onSubmit={({ note }) => decide({ decision: 'reject', note: note.trim() })}
      onClose={onClose}
    />
  );
}
