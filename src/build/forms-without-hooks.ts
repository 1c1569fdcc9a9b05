import path from 'node:path';
import type { Plugin } from 'vite';

/**
 * Builds the task forms with the build of react-hook-form that has no hooks. They use none, and the first page needs
 * nothing else of the package: 2 kB less in its script. Dialogs load the whole package on demand.
 */
export function formsWithoutHooks(root: string): Plugin {
  return {
    name: 'emulsion:forms-without-hooks',
    enforce: 'pre',
    resolveId(id, importer) {
      if (id !== 'react-hook-form' || !importer?.endsWith('/src/web/forms/input-form.ts')) return null;
      return path.join(root, 'node_modules/react-hook-form/dist/react-server.esm.mjs');
    },
  };
}
