import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { WorkflowRun } from '#contract/resources/workflow-run.ts';
import { readWorkflowInput } from '#contract/workflow-input.ts';
import { describeFields } from '#web/forms/inputs/describe-input.ts';
import { InputRows } from '#web/forms/inputs/input-section.tsx';
import { starterQuery } from '#web/api/queries/workflow-starters.ts';

/** What a run was given, in the words of its starter as it is now; where that is gone, by the names of the fields. */
export function RunInput({ run: { starter_slug, input } }: { run: WorkflowRun }) {
  const { data: starter, isPending } = useQuery(starterQuery(starter_slug));
  const rows = useMemo(() => {
    const read = starter ? readWorkflowInput(starter.input_schema) : null;
    return describeFields(read?.ok ? read.contract.fields : [], input);
  }, [starter, input]);
  return isPending ? null : <InputRows rows={rows} />;
}
