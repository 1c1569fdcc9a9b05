import type { BillLine } from '#server/accounts/closing/bills/bill-lines.ts';
import type { UpstreamHttp } from '#server/models/engine/upstream-http.ts';
import type { PresetConnection } from './preset-connection.ts';

/** `[from, to)` */
export interface BillPeriod {
  from: Date;
  to: Date;
}

export type SourceLine = Omit<BillLine, 'row' | 'is_correction'>;

/** How the bills of a provider are read, page by page, with a key that is used for nothing else. */
export interface BillSource {
  /** Which key it takes, for the person who pastes it. */
  key_hint: string;
  key_url: string;
  open(connection: PresetConnection): UpstreamHttp;
  /** @param cursor null: the first page */
  path(period: BillPeriod, cursor: string | null): string;
  /** @returns `cursor`: null after the last page; the original is kept beside the lines @throws {BillFileError} */
  parse(page: unknown): { lines: SourceLine[]; cursor: string | null };
}
