import { useNavigate } from '@tanstack/react-router';
import type { WebhookDelivery } from '#contract/resources/webhook.ts';
import { useCommands } from '#web/ui/commands.ts';

const group = 'Webhooks';

/** The deliveries of an endpoint by keyboard: open the next, the one before, close. */
export function useDeliveryKeys(endpoint: string, rows: readonly WebhookDelivery[], openId: string | undefined): void {
  const navigate = useNavigate();
  const step = (by: 1 | -1) => {
    const at = rows.findIndex(({ id }) => id === openId);
    const next = rows[at === -1 ? 0 : at + by];
    if (!next) return;
    void navigate({
      to: '/webhooks/$endpoint/$delivery',
      params: { endpoint, delivery: next.id },
      search: (search) => search,
      replace: openId !== undefined,
      resetScroll: false,
    });
  };
  const close = () => {
    if (openId === undefined) return;
    void navigate({ to: '/webhooks/$endpoint', params: { endpoint }, search: (search) => search, resetScroll: false });
    document.querySelector<HTMLElement>(`[data-delivery="${CSS.escape(openId)}"]`)?.focus({ preventScroll: true });
  };
  useCommands([
    { group, label: 'Next delivery', keys: 'j', hiddenInPalette: true, run: () => step(1) },
    { group, label: 'Delivery before', keys: 'k', hiddenInPalette: true, run: () => step(-1) },
    { group, label: 'Close the open one', keys: 'escape', hiddenInPalette: true, run: close },
  ]);
}
