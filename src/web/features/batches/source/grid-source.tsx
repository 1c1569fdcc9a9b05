import type { AnyModelId } from '#contract/ids.ts';
import { Checkbox } from '#web/ui/controls/checkbox.tsx';
import { hasRatio, ratioOptions } from '../rows/combine-grid.ts';
import type { InputContract } from '#contract/task.ts';

interface GridSourceProps {
  choices: readonly { model: AnyModelId; name: string; contract: InputContract }[];
  models: readonly AnyModelId[];
  ratios: readonly string[];
  onModelsChange: (models: AnyModelId[]) => void;
  onRatiosChange: (ratios: string[]) => void;
}

/** Chooses the models and aspect ratios of a grid: an order for each combination. */
export function GridSource({ choices, models, ratios, onModelsChange, onRatiosChange }: GridSourceProps) {
  const chosen = choices.filter(({ model }) => models.includes(model));
  const offered = [...new Set([...chosen.flatMap(({ contract }) => ratioOptions(contract)), ...ratios])];
  return (
    <div className="flex flex-col gap-4">
      <fieldset>
        <legend className="pb-2 text-sm font-medium">Models</legend>
        <div className="grid gap-x-4 gap-y-2 sm:grid-cols-2">
          {choices.map(({ model, name, contract }) => (
            <Checkbox
              key={model}
              checked={models.includes(model)}
              label={name}
              hint={models.includes(model) ? missingRatios(contract, ratios) : undefined}
              onChange={(checked) =>
                onModelsChange(
                  choices.flatMap((each) =>
                    (each.model === model ? checked : models.includes(each.model)) ? [each.model] : [],
                  ),
                )
              }
            />
          ))}
        </div>
      </fieldset>
      {offered.length > 0 ? (
        <fieldset>
          <legend className="pb-2 text-sm font-medium">
            Shapes <span className="font-normal text-ink-3">Optional</span>
          </legend>
          <div className="flex flex-wrap gap-1.5">
            {offered.map((ratio) => (
              <RatioChip
                key={ratio}
                ratio={ratio}
                checked={ratios.includes(ratio)}
                onChange={(checked) =>
                  onRatiosChange(checked ? [...ratios, ratio] : ratios.filter((each) => each !== ratio))
                }
              />
            ))}
          </div>
        </fieldset>
      ) : null}
    </div>
  );
}

function missingRatios(contract: InputContract, ratios: readonly string[]): string | undefined {
  const missing = ratios.filter((ratio) => !hasRatio(contract, ratio));
  return missing.length > 0 ? `Without ${missing.join(', ')}` : undefined;
}

interface RatioChipProps {
  ratio: string;
  checked: boolean;
  onChange: (checked: boolean) => void;
}

function RatioChip({ ratio, checked, onChange }: RatioChipProps) {
  return (
    <label className="relative flex h-8 items-center rounded-md border border-line-strong bg-surface px-2.5 text-sm text-ink-2 tabular-nums transition-colors select-none hover:text-ink has-checked:border-transparent has-checked:bg-ink has-checked:text-canvas has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus pointer-coarse:h-11">
      <input
        type="checkbox"
        checked={checked}
        onChange={(event) => onChange(event.target.checked)}
        className="absolute inset-0 appearance-none rounded-md outline-none"
      />
      {ratio === 'auto' || ratio === 'adaptive' ? `${ratio.charAt(0).toUpperCase()}${ratio.slice(1)}` : ratio}
    </label>
  );
}
