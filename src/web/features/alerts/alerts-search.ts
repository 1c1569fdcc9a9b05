import type { AlertKind } from '#contract/alert-kinds.ts';
import type { AlertFilters } from '#web/api/queries/alerts.ts';
import { omitUndefined, parseOption, parsePattern } from '#web/ui/search-params.ts';

export interface AlertsSearch {
  /** Without it, only open ones. */
  show?: 'all' | undefined;
  /** A kind of alerts. */
  cause?: AlertKind | undefined;
}

/** For words only: the service rejects unknown kinds. */
const KIND_PATTERN = /^[a-z_]{1,40}$/;

export const parseAlertsSearch = ({ show, cause }: Record<string, unknown>): AlertsSearch =>
  omitUndefined({
    show: parseOption(['all'], show),
    cause: parsePattern(KIND_PATTERN, cause) as AlertKind | undefined,
  });

export const toAlertFilters = ({ show, cause }: AlertsSearch): AlertFilters =>
  omitUndefined({ status: show === 'all' ? undefined : ('open' as const), kind: cause });
