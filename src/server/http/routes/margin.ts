import { recordExport } from '#server/audit/record-audit-event.ts';
import type { Deps } from '#server/deps.ts';
import { exportMargin } from '#server/providers/export-margin.ts';
import { readMargin } from '#server/providers/margin.ts';
import type { Handlers } from '../handler.ts';

/** Decision: Margin */
export const marginRoutes = (deps: Pick<Deps, 'db' | 'clock'>) =>
  ({
    get_margin: ({ caller, query }) => readMargin(deps, caller.organization_id, query),
    async export_margin({ caller, query }) {
      // Read first, so that a period that is refused is no file.
      const margin = await readMargin(deps, caller.organization_id, query);
      await recordExport(deps, caller, 'margin', query);
      return { filename: 'margin.csv', lines: exportMargin(margin) };
    },
  }) satisfies Handlers;
