import { type Control, Controller, useWatch } from 'react-hook-form';
import { TEXT_MODEL_PATTERN_MESSAGE } from '#contract/limits.ts';
import type { ProviderPreset } from '#contract/resources/provider-preset.ts';
import { AmountField } from '#web/forms/money/amount-field.tsx';
import { Card } from '#web/ui/display/card.tsx';
import { Checkbox } from '#web/ui/controls/checkbox.tsx';
import { Field } from '#web/ui/controls/field.tsx';
import { TextInput } from '#web/ui/controls/text-input.tsx';
import type { ProviderFormValues } from './model-choice.ts';
import { isTextModelName } from './text-model-values.ts';

interface TextModelCardProps {
  preset: ProviderPreset;
  control: Control<ProviderFormValues>;
}

/** Chooses the text model that improves prompts on Create. */
export function TextModelCard({ preset: { name, text_model }, control }: TextModelCardProps) {
  const enabled = useWatch({ control, name: 'text.enabled' });
  if (text_model === null) return null;
  const { suggestion } = text_model;
  return (
    <Card
      title="Improve prompts"
      description="Adds Improve below the prompt on Create. People are not charged for it; you pay the provider."
    >
      <div className="flex flex-col gap-4">
        <Controller
          control={control}
          name="text.enabled"
          render={({ field: { value, ...field } }) => (
            <Checkbox
              {...field}
              checked={value}
              label={`Improve prompts with a text model of ${name}`}
              hint="Prompts are sent to it when someone presses Improve."
            />
          )}
        />
        {enabled ? (
          <div className="grid gap-4 pl-6.5 sm:grid-cols-2">
            <Controller
              control={control}
              name="text.model"
              rules={{ validate: (typed) => isTextModelName(typed) || TEXT_MODEL_PATTERN_MESSAGE }}
              render={({ field, fieldState }) => (
                <Field
                  label="Text model"
                  error={fieldState.error?.message}
                  hint={suggestion ? undefined : 'It must answer /chat/completions.'}
                >
                  <TextInput {...field} autoComplete="off" autoCapitalize="none" spellCheck={false} maxLength={200} />
                </Field>
              )}
            />
            <AmountField
              control={control}
              name="text.daily_limit_usd"
              label="Limit per day"
              hint="Improve stops there until midnight UTC."
              zero
            />
            <AmountField control={control} name="text.input_usd_per_million" label="Price per 1M input tokens" zero />
            <AmountField control={control} name="text.output_usd_per_million" label="Price per 1M output tokens" zero />
            <p className="text-sm wrap-anywhere text-ink-3 sm:col-span-2">
              {suggestion
                ? `${suggestion.model} at the prices of ${suggestion.read_on} is suggested (${suggestion.source}). Costs are computed from these prices.`
                : 'Costs are computed from these prices. For a server of your own, enter 0.'}
            </p>
          </div>
        ) : null}
      </div>
    </Card>
  );
}
