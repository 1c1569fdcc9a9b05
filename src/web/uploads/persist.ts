import { forgetAll, forgetUpload, keepFile, keepUpload, type KeptUpload } from '#web/uploads/kept-files.ts';
import { setFlag } from '#web/uploads/kept-flag.ts';
import { readLimits } from '#web/uploads/limits.ts';
import { stayAlive, tab_id } from '#web/uploads/living-tabs.ts';
import { dropResource, onResource, resourceOf } from '#web/uploads/resources.ts';
import { forgetParts } from '#web/uploads/send-in-parts.ts';
import { fileOf, readSendings, type Sending, subscribeSendings } from '#web/uploads/sendings.ts';

/** A file is copied only where at least this share of the browser's room stays free. */
const FREE_SHARE = 0.5;

const kept = new Map<string, KeptUpload>();
let before: readonly Sending[] = [];
/** One after the other: what was written last is what is kept. */
let writing: Promise<unknown> = Promise.resolve();

const write = (work: () => Promise<unknown>) => {
  // Where the browser keeps nothing, uploads end with the page, which asks before it is left.
  writing = writing.then(work).catch(() => undefined);
};

/** Whether a reload is to continue it. What has arrived is among the uploads. */
const lasts = ({ state, again }: Sending) => state !== 'done' && (state !== 'failed' || again);

const snapshot = (sending: Sending, known: KeptUpload): KeptUpload => ({
  ...known,
  resource: resourceOf(sending.id),
  paused: sending.hold === 'paused',
  problem: sending.state === 'failed' ? sending.problem : null,
});

const same = (a: KeptUpload, b: KeptUpload) =>
  a.resource === b.resource && a.paused === b.paused && a.problem === b.problem;

async function keepNew(sending: Sending): Promise<void> {
  const file = fileOf(sending.id);
  const { owner } = await readLimits();
  const now = readSendings().find(({ id }) => id === sending.id);
  if (!file || owner === null || !now || !lasts(now)) return;
  stayAlive();
  const { id, place, name, size_bytes } = sending;
  const about = { id, owner, tab: tab_id, kept_at_ms: Date.now(), place, name, size_bytes };
  const nothing = { resource: null, paused: false, problem: null };
  const record = snapshot(now, { ...about, last_modified: file.lastModified, ...nothing });
  kept.set(id, record);
  setFlag(true);
  await keepUpload(record);
  if (await hasRoom(file)) await keepFile(id, file);
}

async function hasRoom({ size }: File): Promise<boolean> {
  const { quota = 0, usage = 0 } = (await navigator.storage?.estimate()) ?? {};
  // Insecure addresses do not tell: small files are worth a try.
  return quota === 0 ? size < 50_000_000 : usage + size < quota * FREE_SHARE;
}

function forget(sending: Sending): void {
  const { id, upload_id } = sending;
  const resource = resourceOf(id);
  if (resource !== null && upload_id === null) void forgetParts(resource);
  dropResource(id);
  kept.delete(id);
  write(() => forgetUpload(id));
}

function follow(): void {
  const now = readSendings();
  const known = new Set(before.map(({ id }) => id));
  const there = new Set(now.map(({ id }) => id));
  for (const sending of before) if (!there.has(sending.id)) forget(sending);
  for (const sending of now) {
    const record = kept.get(sending.id);
    if (!record) {
      if (!known.has(sending.id) && lasts(sending)) write(() => keepNew(sending));
      continue;
    }
    if (!lasts(sending)) {
      forget(sending);
      continue;
    }
    const next = snapshot(sending, record);
    if (same(record, next)) continue;
    kept.set(sending.id, next);
    write(() => keepUpload(next));
  }
  before = now;
}

/** Keeps what is on its way in this browser, as it goes. Call once. */
export function persist(): void {
  subscribeSendings(follow);
  onResource(follow);
  follow();
}

/** Takes note of what is kept already, before it is listed. */
export function knowKept(records: readonly KeptUpload[]): void {
  for (const record of records) kept.set(record.id, record);
  if (records.length > 0) stayAlive();
}

/** Nothing stays in this browser. */
export function forgetKept(): void {
  kept.clear();
  setFlag(false);
  write(forgetAll);
}
