import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { MAX_BILL_BYTES, MAX_BILL_LINES } from '#contract/resources/provider-bill.ts';
import { BillFileError } from '#server/accounts/closing/bills/bill-file-error.ts';
import { type BillLine, cleanText } from '#server/accounts/closing/bills/bill-lines.ts';
import { describeProviderFailure, isProviderError } from '#server/models/connections/check-provider.ts';
import { openConnection } from '#server/models/connections/connection-engines.ts';
import { invalidSetting } from '#server/models/connections/validate-settings.ts';
import type { UpstreamHttp } from '#server/models/engine/upstream-http.ts';
import { ResponseLostError, UpstreamBusyError } from '#server/models/engine/upstream.ts';
import type { BillPeriod, BillSource } from '#server/models/providers/bill-source.ts';
import type { PresetConnection } from '#server/models/providers/preset-connection.ts';
import type { ProviderPreset } from '#server/models/providers/preset.ts';
import type { Deps } from '#server/platform/deps.ts';

type Connection = Pick<PresetConnection, 'address' | 'api_key'>;

const DAY_MS = 86_400_000;
const MAX_PAGES = 10_000;
const MAX_TRIES = 3;
const RETRY_DELAY_MS = 1_000;
const MAX_RETRY_DELAY_MS = 30_000;

/** Reads the first page of today. @throws {ApiError} 400 with the provider's response */
export async function testBillingKey(
  deps: Pick<Deps, 'fetcher' | 'clock'>,
  preset: ProviderPreset,
  bills: BillSource,
  connection: Connection,
  signal: AbortSignal,
): Promise<void> {
  const from = new Date(Math.floor(deps.clock.now().getTime() / DAY_MS) * DAY_MS);
  const period = { from, to: new Date(from.getTime() + DAY_MS) };
  try {
    const http = bills.open(openConnection(deps, connection));
    parsePage(bills, await requestPage(http, bills.path(period, null), signal));
  } catch (error) {
    signal.throwIfAborted();
    throw invalidSetting('key', describeBillFailure(preset, error), 400);
  }
}

/** @throws the error itself if it is a fault of this service */
export function describeBillFailure(preset: ProviderPreset, error: unknown): string {
  if (error instanceof BillFileError) return error.message;
  if (isProviderError(error)) return describeProviderFailure(preset, error);
  throw error;
}

/**
 * Saves all pages of a period as they are sent, each as one line of JSON with its request.
 * @returns the SHA-256 of the file
 * @throws {BillFileError}, the errors of `UpstreamHttp`, the reason of `signal`
 */
export async function fetchBill(
  deps: Pick<Deps, 'fetcher'>,
  bills: BillSource,
  { provider_id, period, file, ...connection }: Connection & { provider_id: string; period: BillPeriod; file: string },
  signal: AbortSignal,
): Promise<string> {
  const http = bills.open(openConnection(deps, connection));
  const handle = await open(file, 'wx');
  const hash = createHash('sha256');
  const cursors = new Set<string | null>();
  let [sizeBytes, lineCount] = [0, 0];
  const append = async (value: object): Promise<void> => {
    const bytes = Buffer.from(`${JSON.stringify(value)}\n`);
    if ((sizeBytes += bytes.length) > MAX_BILL_BYTES) throw new BillFileError('The bill is larger than 200 MB.');
    hash.update(bytes);
    await handle.appendFile(bytes);
  };
  try {
    await append({ provider_id, from: period.from, to: period.to });
    let cursor: string | null = null;
    do {
      if (cursors.has(cursor) || cursors.size >= MAX_PAGES)
        throw new BillFileError('The provider sends the pages of the bill again and again.');
      cursors.add(cursor);
      const path = bills.path(period, cursor);
      const body = await requestPage(http, path, signal);
      const page = parsePage(bills, body);
      if ((lineCount += page.lines.length) > MAX_BILL_LINES)
        throw new BillFileError(`The bill has more than ${MAX_BILL_LINES.toLocaleString('en-US')} lines.`);
      await append({ request: path, body });
      cursor = page.cursor;
    } while (cursor !== null);
    return hash.digest('hex');
  } finally {
    await handle.close();
  }
}

/** Waits for a provider that is busy; the next read is an hour away. */
async function requestPage(http: UpstreamHttp, path: string, signal: AbortSignal): Promise<string> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await (await http.request(path, { signal })).text();
    } catch (error) {
      const canRetry = error instanceof UpstreamBusyError || error instanceof ResponseLostError;
      if (!canRetry || tries >= MAX_TRIES) throw error;
      const waitMs = error instanceof UpstreamBusyError ? error.retry_after_ms : null;
      await delay(Math.min(waitMs ?? RETRY_DELAY_MS * tries, MAX_RETRY_DELAY_MS), undefined, { signal });
    }
  }
}

function parsePage(source: BillSource, body: string): ReturnType<BillSource['parse']> {
  let page: unknown;
  try {
    page = JSON.parse(body);
  } catch {
    throw new BillFileError('The provider sent a page that is not JSON.');
  }
  return source.parse(page);
}

/**
 * Reads the lines of a saved bill. An event that a page has twice counts twice; one that the page before had as well is
 * there because the list moved while it was read.
 * @throws {BillFileError} for a line outside of the period
 */
export async function* readFetchedLines(
  bills: BillSource,
  { from, to }: BillPeriod,
  file: string,
): AsyncGenerator<BillLine> {
  const handle = await open(file);
  let row = 0;
  let before = new Map<string, number>();
  try {
    for await (const text of handle.readLines()) {
      const { body } = JSON.parse(text) as { body?: string };
      if (body === undefined) continue;
      const counts = new Map<string, number>();
      for (const line of parsePage(bills, body).lines) {
        const { charged_at, service, description, request_id } = line;
        if (!(charged_at >= from && charged_at < to))
          throw new BillFileError(`The provider sent a line of ${formatTime(charged_at)}, which was not asked for.`);
        const key = JSON.stringify(Object.values(line), (_, value: unknown) =>
          typeof value === 'bigint' ? String(value) : value,
        );
        const count = (counts.get(key) ?? 0) + 1;
        counts.set(key, count);
        if (count <= (before.get(key) ?? 0)) continue;
        row += 1;
        const texts = { service: clean(service), description: clean(description), request_id: clean(request_id) };
        yield { ...line, ...texts, row, is_correction: false };
      }
      before = counts;
    }
  } finally {
    await handle.close();
  }
}

const clean = (text: string | null): string | null => (text === null ? null : cleanText(text));
const formatTime = (time: Date): string =>
  Number.isNaN(time.getTime()) ? 'an unknown day' : time.toISOString().slice(0, 10);
