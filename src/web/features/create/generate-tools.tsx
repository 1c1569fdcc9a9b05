import { modelsForTask } from '#contract/catalog.ts';
import type { ModelId, TaskId } from '#contract/ids.ts';
import type { InputForm } from '#web/forms/input-form.ts';
import { BatchLink } from './batch-link.tsx';
import { CompareModelsButton } from './compare-models/compare-models-button.tsx';
import { RequestCodeButton } from './request-code/request-code-button.tsx';

export { EqualPriceHint } from './equal-price-hint.tsx';
export { VariationStepper } from './variations/variation-stepper.tsx';

interface GenerateToolsProps {
  task: TaskId;
  model: ModelId | null;
  form: InputForm;
  signed_in: boolean;
  /** Why nothing can be started; null if it can. */
  disabledReason: string | null;
  onSwitch: (model: ModelId) => void;
  onStarted: () => void;
}

/** What can be done with an order before it is placed. */
export function GenerateTools({ model, ...props }: GenerateToolsProps) {
  return (
    <>
      {model !== null && modelsForTask(props.task).length > 1 ? <CompareModelsButton model={model} {...props} /> : null}
      <RequestCodeButton task={props.task} model={model} />
      <BatchLink task={props.task} model={model} />
    </>
  );
}
