import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { formatMoney } from '#contract/money/money.ts';
import type { Provider } from '#contract/resources/provider.ts';
import {
  addedModelsQuery,
  inspectionQuery,
  useCreateAddedModel,
  useUpdateAddedModel,
} from '#web/api/queries/added-models.ts';
import { useIsAdministrator } from '#web/api/queries/me.ts';
import { useCan } from '#web/api/queries/permissions.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { showToast } from '#web/ui/overlays/toast-store.ts';

interface SuggestedModel {
  address: string;
  label: string;
  task: 'image.upscale' | 'image.background';
  /** The most that a run is charged, where only fal’s bill says what it costs. */
  capMicroUsd: number;
}

/** Models that add a button to each picture. Only fal publishes prices, without which one press is not enough. */
const SUGGESTED: Partial<Record<NonNullable<Provider['provider']>, readonly SuggestedModel[]>> = {
  fal: [
    { address: 'fal-ai/clarity-upscaler', label: 'Upscale', task: 'image.upscale', capMicroUsd: 500_000 },
    { address: 'fal-ai/birefnet/v2', label: 'Remove background', task: 'image.background', capMicroUsd: 50_000 },
  ],
};

/** First steps of a provider: what its models can do with pictures, to add with one press each. */
export function SuggestedModels({ provider: { id, provider, state, name } }: { provider: Provider }) {
  const canManage = useCan('models.manage');
  const isAdministrator = useIsAdministrator();
  const suggested = (provider && SUGGESTED[provider]) ?? [];
  const isAsked = canManage && isAdministrator && state === 'active' && suggested.length > 0;
  const { data: added } = useQuery({ ...addedModelsQuery, enabled: isAsked });
  if (!isAsked || !added) return null;
  const missing = suggested.filter(
    ({ task }) => !added.some((model) => model.task === task && model.state !== 'removed'),
  );
  if (missing.length === 0) return null;
  return (
    <section aria-label={`First steps with ${name}`} className="mt-3 border-t border-line pt-3">
      <p className="mb-2 text-sm text-ink-2">Add a button to every picture, at the price of {name}:</p>
      <ul className="flex flex-wrap gap-2">
        {missing.map((model) => (
          <li key={model.address}>
            <AddButton providerId={id} model={model} />
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The longest that a card shows. */
const cut = (text: string | null) => text?.slice(0, 160) ?? null;

/** Adds and publishes a model at its published price, without markup. */
function AddButton({ providerId, model }: { providerId: string; model: SuggestedModel }) {
  const { address, label, task, capMicroUsd } = model;
  const client = useQueryClient();
  const navigate = useNavigate();
  const create = useCreateAddedModel();
  const publish = useUpdateAddedModel();
  const add = useMutation({
    networkMode: 'always',
    mutationFn: async () => {
      const source = { provider_id: providerId, address, overrides: {} };
      const { suggested, hash, description } = await client.fetchQuery(inspectionQuery(source));
      const listed = suggested.price;
      if (listed === null) throw new Error(`fal lists no price for ${address}. Add it under Added models.`);
      const price = listed.quantity.from === 'result' ? { ...listed, cap_micro_usd: capMicroUsd } : listed;
      const body = { ...source, hash, name: label, description: cut(description), task, price, markup_percent: 0 };
      const { id } = await create.mutateAsync(body);
      return publish.mutateAsync({ id, state: 'published' });
    },
    onSuccess: (published) =>
      showToast({
        title: `${label} added`,
        detail: `At most ${formatMoney(published.bound_usd)} a run. It is beside every picture now.`,
        tone: 'good',
        action: {
          label: 'Price',
          onPress: () => void navigate({ to: '/added-models/$modelId', params: { modelId: published.id } }),
        },
      }),
    onError: (error) => showToast({ title: `${label} was not added`, detail: error.message, tone: 'bad' }),
  });
  return (
    <Button
      size="sm"
      busy={add.isPending}
      data-tooltip={address}
      icon={<Plus aria-hidden="true" className="size-3.5" />}
      onClick={() => add.mutate()}
    >
      Add {label}
    </Button>
  );
}
