import { recordExport } from '#server/accounts/audit/record-audit-event.ts';
import type { Deps } from '#server/platform/deps.ts';
import { formatMargin, readMargin } from '#server/models/connections/margin.ts';
import type { Handlers } from '#server/http/handler.ts';

/** Decision: Margin */
export const marginRoutes = (deps: Deps) =>
  ({
    get_margin: ({ caller, query }) => readMargin(deps, caller.organization_id, query),
    async export_margin({ caller, query }) {
      // Read first, so that a period that is refused is no file.
      const margin = await readMargin(deps, caller.organization_id, query);
      await recordExport(deps, caller, 'margin', query);
      return { filename: 'margin.csv', lines: formatMargin(margin) };
    },
  }) satisfies Handlers;
