import { createRoute } from '@tanstack/react-router';
import { parseSignatureCheckSearch, parseDeliverySearch } from '#web/features/webhooks/webhook-search.ts';
import { validSearch } from '#web/ui/search-params.ts';
import { rootRoute } from './root.tsx';
import { lazyPage } from '../shell/lazy-page.tsx';

export const webhooksRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/webhooks',
  component: lazyPage(() => import('#web/features/webhooks/webhooks-page.tsx'), 'WebhooksPage'),
});

export const signatureCheckRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/webhooks/check',
  validateSearch: validSearch(parseSignatureCheckSearch),
  component: lazyPage(() => import('#web/features/webhooks/signature-check-page.tsx'), 'SignatureCheckPage'),
});

export const endpointRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/webhooks/$endpoint',
  validateSearch: validSearch(parseDeliverySearch),
  component: lazyPage(() => import('#web/features/webhooks/endpoint-page.tsx'), 'EndpointPage'),
});

export const deliveryRoute = createRoute({
  getParentRoute: () => endpointRoute,
  path: '$delivery',
  component: lazyPage(() => import('#web/features/webhooks/delivery-panel.tsx'), 'DeliveryPanel', 'panel'),
});
