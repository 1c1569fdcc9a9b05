import { useId, useState } from 'react';
import { summaryOf } from '#web/inputs/describe-input.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { rejecting } from './case-words.ts';
import { DecisionForm } from './decision-form.tsx';
import { type DecisionProps, useDecision } from './use-decision.ts';

/** Says what rejecting does before it is done. */
export function RejectDialog(props: DecisionProps) {
  const { generation, review, onClose } = props;
  const form = useId();
  const [note, setNote] = useState('');
  const [asked, setAsked] = useState(false);
  const { decide, isPending, problem } = useDecision(props);
  const submit = () => {
    setAsked(true);
    if (note.trim() !== '') void decide({ decision: 'reject', note: note.trim() });
  };
  return (
    <Dialog
      open
      title="Reject this?"
      description={summaryOf(generation.task, generation.model, generation.input)}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Keep it in review</Button>
          <Button type="submit" form={form} variant="danger" busy={isPending}>
            Reject it
          </Button>
        </>
      }
    >
      <DecisionForm
        id={form}
        note={note}
        onNote={setNote}
        lacks_note={asked && note.trim() === ''}
        placeholder="The provider lost it, and says so"
        consequences={rejecting(generation, review)}
        problem={problem?.message ?? null}
        onSubmit={submit}
      />
    </Dialog>
  );
}
