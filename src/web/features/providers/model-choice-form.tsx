import { Link, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import type { TextModel } from '#contract/resources/text-model.ts';
import type { ModelChoice, Provider } from '#contract/resources/provider.ts';
import type { ProviderPreset } from '#contract/resources/provider-preset.ts';
import { Button, buttonClass } from '#web/ui/controls/button.tsx';
import { ErrorText } from '#web/ui/controls/field.tsx';
import { showToast } from '#web/ui/overlays/toast-store.ts';
import { type ProviderFormValues, settingFields, storedWorkflows, toModelChoices } from './model-choice.ts';
import { ModelTable } from './model-table.tsx';
import { showRequestErrors } from './show-request-errors.ts';
import { TEXT_MODEL_FIELDS } from './text-model-values.ts';
import { toTextModel } from './to-text-model.ts';

interface ModelChoiceFormProps {
  preset: ProviderPreset;
  /** The connection that is changed. */
  provider?: Provider;
  form: UseFormReturn<ProviderFormValues>;
  noModelsMessage: string;
  submitLabel: string;
  submitIcon?: ReactNode;
  onSubmit: (
    settings: { models: ModelChoice[]; text_model: TextModel | null; visible_watermark: boolean },
    values: ProviderFormValues,
  ) => Promise<unknown>;
  savedToast: Parameters<typeof showToast>[0];
  /** Places the table of models among the other fields. */
  children: (table: ReactNode) => ReactNode;
}

/** Chooses the models of a connection and their prices, and leads back to the providers once they are saved. */
export function ModelChoiceForm(props: ModelChoiceFormProps) {
  const { preset, provider, form, noModelsMessage, submitLabel, submitIcon, onSubmit, savedToast, children } = props;
  const navigate = useNavigate();
  const { errors, isSubmitting } = form.formState;
  const submit = form.handleSubmit(async (values) => {
    const models = toModelChoices(preset, values);
    const textModel = preset.text_model === null ? null : toTextModel(values.text);
    if (models.length === 0 && textModel === null && !preset.adds_models) {
      form.setError('root.models', { type: 'required', message: noModelsMessage });
      return;
    }
    try {
      await onSubmit({ models, text_model: textModel, visible_watermark: values.visible_watermark }, values);
    } catch (error) {
      showRequestErrors(form, provider ? [] : ['key', 'address'], error, {
        ...settingFields(models),
        ...TEXT_MODEL_FIELDS,
      });
      return;
    }
    showToast(savedToast);
    void navigate({ to: '/providers' });
  });
  return (
    <form noValidate className="flex max-w-4xl flex-col gap-4" onSubmit={(event) => void submit(event)}>
      {children(
        <ModelTable
          preset={preset}
          {...(provider ? { connectedId: provider.id, storedWorkflows: storedWorkflows(preset, provider) } : undefined)}
          control={form.control}
          error={errors.root?.['models']?.message}
          onSelect={(selected) => form.setValue('selected', selected)}
        />,
      )}
      <div role="alert" className="empty:-mt-4">
        <ErrorText>{errors.root?.['server']?.message}</ErrorText>
      </div>
      <div className="flex flex-wrap gap-2">
        <Button type="submit" variant="primary" busy={isSubmitting} icon={submitIcon}>
          {submitLabel}
        </Button>
        <Link to="/providers" className={buttonClass()}>
          Cancel
        </Link>
      </div>
    </form>
  );
}
