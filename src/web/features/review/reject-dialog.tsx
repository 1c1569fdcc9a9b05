import { useDialogForm } from '#web/forms/form-dialog.tsx';
import { rejectionConsequences } from './decision-consequences.ts';
import { DecisionDialog, type DecisionValues, EMPTY_DECISION } from './decision-dialog.tsx';
import { type DecisionProps, useDecision } from './use-decision.ts';

export function RejectDialog(props: DecisionProps) {
  const { generation, review, onClose } = props;
  const form = useDialogForm<DecisionValues>(EMPTY_DECISION);
  const decide = useDecision(props);
  return (
    <DecisionDialog
      form={form}
      title="Reject this generation?"
      generation={generation}
      submitLabel="Reject"
      variant="danger"
      placeholder="The provider confirmed that it was lost"
      consequences={rejectionConsequences(generation, review)}
      onSubmit={({ note }) => decide({ decision: 'reject', note: note.trim() })}
      onClose={onClose}
    />
  );
}
