import { useState } from 'react';
import { rejecting } from './case-words.ts';
import { DecisionDialog } from './decision-dialog.tsx';
import { type DecisionProps, useDecision } from './use-decision.ts';

/** Says what rejecting does before it is done. */
export function RejectDialog(props: DecisionProps) {
  const { generation, review, onClose } = props;
  const [note, setNote] = useState('');
  const [asked, setAsked] = useState(false);
  const { decide, isPending, problem } = useDecision(props);
  const submit = () => {
    setAsked(true);
    if (note.trim() !== '') void decide({ decision: 'reject', note: note.trim() });
  };
  return (
    <DecisionDialog
      title="Reject this?"
      generation={generation}
      go="Reject it"
      variant="danger"
      busy={isPending}
      note={note}
      onNote={setNote}
      lacks_note={asked && note.trim() === ''}
      placeholder="The provider lost it, and says so"
      consequences={rejecting(generation, review)}
      problem={problem?.message}
      onSubmit={submit}
      onClose={onClose}
    />
  );
}
