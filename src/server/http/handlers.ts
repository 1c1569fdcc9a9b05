import type { Deps } from '#server/deps.ts';
import type { OpenUploads } from '#server/uploads/open-uploads.ts';
import type { Handlers } from './handler.ts';
import { auditRoutes } from './routes/audit.ts';
import { billingRoutes } from './routes/billing.ts';
import { budgetRoutes } from './routes/budgets.ts';
import { catalogRoutes } from './routes/catalog.ts';
import { generationRoutes } from './routes/generations.ts';
import { keyRoutes } from './routes/keys.ts';
import { libraryRoutes } from './routes/library.ts';
import { referenceRoutes } from './routes/references.ts';
import { reviewRoutes } from './routes/review.ts';
import { sessionRoutes } from './routes/sessions.ts';
import { uploadRoutes } from './routes/uploads.ts';
import { webhookRoutes } from './routes/webhooks.ts';
import { workflowRunRoutes } from './routes/workflow-runs.ts';
import { workflowStarterRoutes } from './routes/workflow-starters.ts';

/** What this service serves of the contract's endpoints. */
export const createHandlers = (deps: Deps, open_uploads: OpenUploads): Handlers => ({
  ...catalogRoutes(deps),
  ...generationRoutes(deps),
  ...billingRoutes(deps),
  ...budgetRoutes(deps),
  ...auditRoutes(deps),
  ...keyRoutes(deps),
  ...sessionRoutes(deps),
  ...reviewRoutes(deps),
  ...uploadRoutes({ ...deps, open_uploads }),
  ...referenceRoutes(deps),
  ...libraryRoutes(deps),
  ...webhookRoutes(deps),
  ...workflowRunRoutes(deps),
  ...workflowStarterRoutes(deps),
});
