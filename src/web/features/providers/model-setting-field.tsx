import { type Control, Controller } from 'react-hook-form';
import type { ProviderPreset } from '#contract/resources/provider-preset.ts';
import { Field } from '#web/ui/controls/field.tsx';
import { TextInput, TextArea } from '#web/ui/controls/text-input.tsx';
import type { ProviderFormValues } from './model-choice.ts';

const WORKFLOW_HINT =
  'In ComfyUI, give the node with the prompt the title “prompt”, then choose Workflow → Export (API) and paste the file.';
const KEEP_HINT = 'Leave empty to keep the current workflow.';

interface ModelSettingFieldProps {
  preset: ProviderPreset;
  control: Control<ProviderFormValues>;
  /** The model's key in the form. */
  fieldKey: string;
  /** It keeps its workflow unless another is pasted. */
  hasWorkflow: boolean;
}

/** What a model needs beside the key: its name at the server, or a workflow. */
export function ModelSettingField({
  preset: { model_setting },
  control,
  fieldKey,
  hasWorkflow,
}: ModelSettingFieldProps) {
  const isWorkflow = model_setting === 'workflow';
  return (
    <Controller
      control={control}
      name={`settings.${fieldKey}`}
      shouldUnregister
      rules={{
        validate: (text) =>
          hasWorkflow ||
          text.trim() !== '' ||
          (isWorkflow ? 'Paste the workflow in API format.' : 'Enter the name of the model at the server.'),
      }}
      render={({ field, fieldState }) => (
        <div className="mt-2 max-w-xl pl-6.5">
          <Field
            label={isWorkflow ? 'Workflow in API format' : 'Model at the server'}
            error={fieldState.error?.message}
            hint={isWorkflow ? (hasWorkflow ? KEEP_HINT : WORKFLOW_HINT) : undefined}
          >
            {isWorkflow ? (
              <TextArea {...field} rows={4} spellCheck={false} className="font-mono text-xs" />
            ) : (
              <TextInput {...field} autoComplete="off" spellCheck={false} placeholder="flux-dev" />
            )}
          </Field>
        </div>
      )}
    />
  );
}
