import path from 'node:path';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';
import { chunkFileNames, chunkGroups } from './src/build/chunk-groups.ts';
import { firstPaint } from './src/build/first-paint.ts';
import { precompress } from './src/build/precompress.ts';
import { rejectChunkCycles } from './src/build/reject-chunk-cycles.ts';
import { thirdParty } from './src/build/third-party.ts';
import { SlowestFiles } from './src/server/app/testing/slowest-files.ts';
import { SlowestFirst } from './src/server/app/testing/slowest-first.ts';
import { testTiers } from './src/server/app/testing/test-tiers.ts';
import { VERSION } from './src/server/platform/core/version.ts';
import { renderFirstPaint } from './src/web/app/shell/first-paint.tsx';

const root = import.meta.dirname;
const service = 'http://localhost:8787';

export default defineConfig({
  plugins: [
    react(),
    tailwindcss(),
    firstPaint({ render: renderFirstPaint, routes: path.join(root, 'src/web/app/routes') }),
    thirdParty(),
    precompress(),
    rejectChunkCycles(),
  ],
  define: { EMULSION_VERSION: JSON.stringify(VERSION) },
  resolve: {
    // React has had it since version 18.
    alias: { 'use-sync-external-store/shim/with-selector': 'use-sync-external-store/with-selector' },
  },
  server: {
    port: 5173,
    proxy: { '/v1': service, '/mcp': service, '/media': service, '/samples': service, '/openapi.json': service },
  },
  build: {
    manifest: true,
    // The first versions with light-dark(); older ones would double the colors.
    cssTarget: ['chrome123', 'edge123', 'firefox120', 'safari17.5'],
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // `npm run check:size` limits what each page loads.
    chunkSizeWarningLimit: 2_000,
    rolldownOptions: {
      output: {
        chunkFileNames,
        codeSplitting: { groups: chunkGroups(root, 'src/web/features/create/create-page.tsx') },
      },
    },
  },
  test: {
    projects: testTiers,
    pool: 'forks',
    // Loading the service's modules, the embedded database above all, takes longer than most tests.
    isolate: false,
    sequence: { sequencer: SlowestFirst },
    reporters: ['default', new SlowestFiles()],
    unstubGlobals: true,
    globalSetup: 'src/server/app/testing/remove-abandoned.ts',
    // Many tests wait for processes of their own.
    maxWorkers: 3,
    // These end what hangs, in one place: no test may depend on how fast the machine is.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    expect: { poll: { timeout: 120_000 } },
  },
});
