import { useState } from 'react';
import type { ComfyCandidate } from '#contract/added-models/comfyui-candidates.ts';
import type { ModelInspection } from '#contract/resources/added-model.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { Checkbox } from '#web/ui/controls/checkbox.tsx';
import { Disclosure } from '#web/ui/controls/disclosure.tsx';
import { ErrorText } from '#web/ui/controls/field.tsx';
import { TextInput } from '#web/ui/controls/text-input.tsx';

type ChosenInput = NonNullable<ModelInspection['inputs']>[number];

const keyOf = ({ node, input }: Pick<ComfyCandidate, 'node' | 'input'>): string => `${node}.${input}`;

interface ComfyInputsProps {
  inspection: ModelInspection;
  isLoading: boolean;
  onChange: (inputs: ChosenInput[]) => void;
}

/** Chooses which inputs of a workflow people can change. */
export function ComfyInputs({ inspection, isLoading, onChange }: ComfyInputsProps) {
  const { candidates = [], inputs: applied = [] } = inspection;
  const [chosen, setChosen] = useState<readonly ChosenInput[]>(applied);
  const byNode = Map.groupBy(candidates, ({ node }) => node);
  const isChanged = JSON.stringify(chosen) !== JSON.stringify(applied);
  const toggle = ({ node, input }: ComfyCandidate, own: ChosenInput | undefined) =>
    setChosen(own ? chosen.filter((each) => each !== own) : [...chosen, { node, input }]);
  const rename = ({ label: _label, ...own }: ChosenInput, label: string) =>
    setChosen(chosen.map((each) => (keyOf(each) === keyOf(own) ? { ...own, ...(label && { label }) } : each)));
  return (
    <Disclosure
      summary="Inputs that people can change"
      aside={
        <span className="text-ink-3">
          {chosen.length} of {candidates.filter(({ field }) => field).length}
        </span>
      }
      open
    >
      <div className="flex flex-col gap-4">
        {[...byNode.values()].map((group) => (
          <fieldset key={group[0]?.node} className="min-w-0">
            <legend className="mb-1.5 text-sm font-medium wrap-anywhere">
              {group[0]?.node_title}{' '}
              {group[0]?.class_type === group[0]?.node_title ? null : (
                <span className="font-normal text-ink-3">{group[0]?.class_type}</span>
              )}
            </legend>
            <ul className="flex flex-col gap-1.5">
              {group.map((candidate) => {
                const own = chosen.find((each) => keyOf(each) === keyOf(candidate));
                return (
                  <li key={keyOf(candidate)} className="flex min-h-7 flex-wrap items-center gap-x-3 gap-y-1">
                    <Checkbox
                      label={candidate.field?.label ?? candidate.input}
                      hint={candidate.reason}
                      checked={own !== undefined}
                      disabled={candidate.field === null}
                      onChange={() => toggle(candidate, own)}
                    />
                    {own ? (
                      <TextInput
                        aria-label={`Label of ${candidate.input} of ${candidate.node_title}`}
                        className="max-w-48"
                        placeholder={candidate.field?.label}
                        maxLength={60}
                        value={own.label ?? ''}
                        onChange={(event) => rename(own, event.target.value)}
                      />
                    ) : null}
                  </li>
                );
              })}
            </ul>
          </fieldset>
        ))}
        <ErrorText>{chosen.length === 0 ? 'Choose at least one input.' : null}</ErrorText>
        <Button
          className="self-start"
          variant={isChanged ? 'primary' : 'secondary'}
          disabled={!isChanged || chosen.length === 0}
          busy={isLoading}
          onClick={() => onChange([...chosen])}
        >
          Show the form with these inputs
        </Button>
      </div>
    </Disclosure>
  );
}
