// Which folder may import which. Imports point to folders further up in these lists, types included.
const WINGS = {
  platform: ['core', 'db', 'net', 'credentials', 'media', 'storage', 'jobs', 'mail'],
  accounts: ['rate-limits', 'audit', 'idempotency', 'billing', 'keys', 'people', 'tags'],
  models: ['engine', 'tools', 'text', 'providers', 'preview', 'config', 'catalog', 'connections'],
  studio: ['assets', 'generations', 'uploads', 'library', 'prompts', 'webhooks', 'workflows', 'batches', 'approvals'],
  operations: ['alerts', 'installation', 'metrics', 'tracing'],
  http: [],
  app: [],
};
const SERVER = Object.entries(WINGS).flatMap(([wing, folders]) =>
  folders.length === 0 ? [wing] : folders.map((folder) => `${wing}/${folder}`),
);
const WEB = [
  'ui',
  'api',
  'notifications',
  'media',
  'uploads',
  'forms',
  'collections',
  'budgets',
  'upstream',
  'features',
  'app',
];

const TESTS = String.raw`\.test\.tsx?$|/testing/`;

/** One rule for each folder: it imports none of those below it in the list. */
const layers = (root, folders) =>
  folders.slice(0, -1).map((folder, index) => ({
    name: `${root.split('/').at(-1)}-${folder.replace('/', '-')}`,
    comment: `${root}/${folder} is below these folders and must not know them.`,
    severity: 'error',
    from: { path: `^${root}/${folder}/` },
    to: { path: `^${root}/(${folders.slice(index + 1).join('|')})/` },
  }));

export default {
  forbidden: [
    ...layers('src/server', SERVER),
    ...layers('src/web', WEB),
    {
      name: 'contract-imports-zod-only',
      severity: 'error',
      from: { path: '^src/contract/' },
      to: { pathNot: ['^src/contract/', '^node_modules/zod/'] },
    },
    {
      name: 'server-and-web-are-apart',
      severity: 'error',
      from: { path: '^src/(server|web)/' },
      to: { path: '^src/(server|web)/', pathNot: '^src/$1/' },
    },
    {
      name: 'features-are-apart',
      severity: 'error',
      from: { path: '^src/web/features/([^/]+)/' },
      to: { path: '^src/web/features/', pathNot: '^src/web/features/$1/' },
    },
    {
      name: 'no-circular',
      comment: 'A type that two files need stands in the lower one. The fields of a form contain fields.',
      severity: 'error',
      from: { pathNot: '^src/web/forms/(form-field|fields/compound-inputs)\\.tsx$' },
      to: { circular: true },
    },
    {
      name: 'ui-knows-no-domain',
      severity: 'error',
      from: { path: '^src/web/ui/' },
      to: { path: '^src/', pathNot: '^src/web/ui/' },
    },
  ],
  options: {
    // TypeScript 7 has no compiler API; swc reads the same imports.
    parser: 'swc',
    tsPreCompilationDeps: true,
    // Tests set up whatever they need.
    exclude: { path: TESTS },
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: { extensions: ['.ts', '.tsx', '.js'], conditionNames: ['import', 'types', 'default'] },
  },
};
