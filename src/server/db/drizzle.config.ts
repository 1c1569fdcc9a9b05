import { defineConfig } from 'drizzle-kit';

export default defineConfig({
  dialect: 'postgresql',
  schema: [
    './src/server/db/organization-schema.ts',
    './src/server/db/schema.ts',
    './src/server/db/session-schema.ts',
    './src/server/db/people-schema.ts',
    './src/server/db/audit-schema.ts',
    './src/server/db/batch-schema.ts',
    './src/server/db/billing-schema.ts',
    './src/server/db/request-schema.ts',
    './src/server/db/tag-schema.ts',
    './src/server/db/webhook-schema.ts',
    './src/server/db/alert-schema.ts',
    './src/server/db/library-schema.ts',
    './src/server/db/workflow-schema.ts',
    './src/server/db/upload-schema.ts',
    './src/server/db/derivative-schema.ts',
    './src/server/db/provider-schema.ts',
    './src/server/db/review-schema.ts',
    './src/server/db/catalog-schema.ts',
  ],
  out: './src/server/db/migrations',
});
