import type { Deps } from '../deps.ts';
import type { Handlers } from './bind.ts';
import { billingRoutes } from './routes/billing.ts';
import { catalogRoutes } from './routes/catalog.ts';
import { keyRoutes } from './routes/keys.ts';

/** What this service serves of the contract's endpoints. */
export const handlersOf = (deps: Deps): Handlers => ({
  ...catalogRoutes(deps),
  ...billingRoutes(deps),
  ...keyRoutes(deps),
});
