import { createRoute } from '@tanstack/react-router';
import { parseSignatureCheckSearch, parseDeliverySearch } from '#web/features/webhooks/webhook-search.ts';
import { pageRoute, searchRoute } from './page-route.ts';
import { lazyPage } from '../shell/lazy-page.tsx';

export const webhooksRoute = pageRoute(
  '/webhooks',
  () => import('#web/features/webhooks/webhooks-page.tsx'),
  'WebhooksPage',
);

export const signatureCheckRoute = searchRoute(
  '/webhooks/check',
  parseSignatureCheckSearch,
  () => import('#web/features/webhooks/signature-check-page.tsx'),
  'SignatureCheckPage',
);

export const endpointRoute = searchRoute(
  '/webhooks/$endpoint',
  parseDeliverySearch,
  () => import('#web/features/webhooks/endpoint-page.tsx'),
  'EndpointPage',
);

export const deliveryRoute = createRoute({
  getParentRoute: () => endpointRoute,
  path: '$delivery',
  component: lazyPage(() => import('#web/features/webhooks/delivery-panel.tsx'), 'DeliveryPanel', 'panel'),
});
