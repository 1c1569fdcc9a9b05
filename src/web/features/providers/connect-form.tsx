import { Plug } from 'lucide-react';
import { useForm } from 'react-hook-form';
import type { ProviderPreset } from '#contract/resources/provider-preset.ts';
import { useConnectProvider } from '#web/api/queries/providers.ts';
import { Card } from '#web/ui/card.tsx';
import { CredentialCard, toCredential } from './credential-card.tsx';
import { defaultValues, hasListPrice, type ProviderFormValues } from './model-choice.ts';
import { ModelChoiceForm } from './model-choice-form.tsx';
import { TextModelCard } from './text-model-card.tsx';
import { WatermarkCard } from './watermark-card.tsx';

const COST_NOTE = 'Costs are the provider’s list prices. The cost of each job is recorded with its result.';

export function ConnectForm({ preset }: { preset: ProviderPreset }) {
  const connect = useConnectProvider();
  const form = useForm<ProviderFormValues>({ defaultValues: defaultValues(preset) });
  return (
    <ModelChoiceForm
      preset={preset}
      form={form}
      noModelsMessage="Select at least one model."
      submitLabel={`Connect ${preset.name}`}
      submitIcon={<Plug aria-hidden="true" className="size-4" />}
      onSubmit={(settings, values) => connect.mutateAsync({ ...toCredential(preset, values), ...settings })}
      savedToast={{ title: `${preset.name} is connected`, detail: 'Its models are ready to use.', tone: 'good' }}
    >
      {(table) => (
        <>
          <CredentialCard preset={preset} form={form} />
          <Card title="Models and prices" description={preset.models.some(hasListPrice) ? COST_NOTE : undefined}>
            {table}
          </Card>
          <WatermarkCard preset={preset} control={form.control} />
          <TextModelCard preset={preset} control={form.control} />
        </>
      )}
    </ModelChoiceForm>
  );
}
