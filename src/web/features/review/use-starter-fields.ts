import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { FieldSpec } from '#contract/task.ts';
import { readWorkflowInput } from '#contract/workflow-input.ts';
import { starterQuery } from '#web/api/queries/workflow-starters.ts';

const NO_FIELDS: readonly FieldSpec[] = [];

/** The input fields of a workflow; none while they are unknown. */
export function useStarterFields(slug: string | null): readonly FieldSpec[] {
  const { data } = useQuery({ ...starterQuery(slug ?? ''), enabled: slug !== null });
  return useMemo(() => {
    const read = data && readWorkflowInput(data.input_schema);
    return read?.ok ? read.contract.fields : NO_FIELDS;
  }, [data]);
}
