import { createAtom, useSelector } from '@tanstack/react-store';
import { onOwnerConfirmed, onSessionChange } from '../session/session.ts';
import { createStoredMap, type StoredMap } from '../stored-map.ts';
import {
  copySlot,
  deleteSlot,
  deleteSlotsOf,
  hasItems,
  listSlots,
  readItem,
  type Slot,
  writeItem,
} from './draft-items.ts';

const TAB_KEY = 'emulsion.draft-slot';
/** A reload may begin before the browser has released the lock of the page before. */
const RELOAD_MS = 2_000;

// Works over plain HTTP too, where `randomUUID` is missing.
const newId = () => Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) => byte.toString(36)).join('');
/** Where the browser forbids storage, drafts live in memory. */
const attempt = <T>(work: () => T, otherwise: T): T => {
  try {
    return work();
  } catch {
    return otherwise;
  }
};

let slot: Slot = { id: attempt(() => sessionStorage.getItem(TAB_KEY), null) ?? newId(), owner: null };
const maps = new Set<Omit<ReturnType<typeof createStoredMap>, 'map'>>();
const status = createAtom({ revision: 0, isStored: true });

// Decision: Drafts
/**
 * A map of what a person typed. It belongs to this tab while it is open; a new tab takes the newest drafts of the person
 * that no open tab has. Signing out deletes all of them.
 * @param limit maximum number of entries; the newest stay
 */
export function createDraftStorage<T>(name: string, limit: number): StoredMap<T> {
  const write = (json: string | null) => {
    const isStored = attempt(() => {
      writeItem(slot, name, json);
      return true;
    }, false);
    if (isStored !== status.get().isStored) status.set((current) => ({ ...current, isStored }));
  };
  const { map, ...control } = createStoredMap<T>(
    { read: () => attempt(() => readItem(slot, name), null), write },
    limit,
  );
  maps.add(control);
  return map;
}

/** Changes when other drafts have taken the place of those on the page. */
export const useDraftRevision = (): number => useSelector(status, ({ revision }) => revision);

/** Whether the drafts have room in the storage of the browser. */
export const useAreDraftsStored = (): boolean => useSelector(status, ({ isStored }) => isStored);

const hasDrafts = () => [...maps].some((map) => !map.isEmpty()) || attempt(() => hasItems(slot), false);

/** The next one begins when the one before is done. */
let opening: Promise<void> = Promise.resolve();

/**
 * Begins to use the drafts of a person. Those on the page stay and become theirs; without any, it takes the newest ones
 * that no open tab has.
 */
export function openDrafts(owner: string): Promise<void> {
  opening = opening.then(() => openSlot(owner));
  return opening;
}

onSessionChange((state) => state === 'signed_out' && deleteDrafts());
onOwnerConfirmed((owner) => void openDrafts(owner));

async function openSlot(owner: string): Promise<void> {
  if (slot.owner === owner) return;
  const stored = hasDrafts() ? [] : attempt(() => listSlots(owner), []);
  const isReload = stored.includes(slot.id);
  const free = isReload ? await acquire(slot.id, RELOAD_MS) : await acquireFirst(stored);
  // What was typed meanwhile is not replaced.
  if (free !== null && !hasDrafts()) return show({ id: free, owner });
  // Another id: a copy of this tab has the same one.
  const next = { id: newId(), owner };
  await acquire(next.id);
  if (hasDrafts()) return moveDrafts(next);
  // A copy of a tab begins with the drafts of that tab; so does each tab where the browser can't tell which are open.
  const source = isReload ? slot.id : hasLocks() ? undefined : stored[0];
  if (source !== undefined) attempt(() => copySlot({ id: source, owner }, next), undefined);
  return show(next);
}

function moveDrafts(next: Slot): void {
  for (const map of maps) map.flush();
  const before = slot;
  useSlot(next);
  attempt(() => {
    copySlot(before, next);
    deleteSlot(before);
  }, undefined);
}

function useSlot(next: Slot): void {
  slot = next;
  attempt(() => sessionStorage.setItem(TAB_KEY, next.id), undefined);
}

function show(next: Slot): void {
  const hadDrafts = hasDrafts();
  useSlot(next);
  for (const map of maps) map.reset();
  if (hadDrafts || hasDrafts()) status.set((current) => ({ ...current, revision: current.revision + 1 }));
}

/** Deletes all drafts of the person, in all tabs. */
function deleteDrafts(): void {
  attempt(() => (slot.owner === null ? deleteSlot(slot) : deleteSlotsOf(slot.owner)), undefined);
  show({ id: newId(), owner: null });
}

/** Web Locks exist on secure origins only. */
const hasLocks = () => globalThis.navigator?.locks !== undefined;
let release = () => {};

/**
 * Marks a slot as in use until the page is closed or uses another one.
 * @param waitMs how long to wait for another page
 * @returns null if another page uses it, or the browser can't tell
 */
function acquire(id: string, waitMs?: number): Promise<string | null> {
  // A tab keeps its own slot where there are no locks.
  if (!hasLocks()) return Promise.resolve(waitMs === undefined ? null : id);
  const options = waitMs === undefined ? { ifAvailable: true } : { signal: AbortSignal.timeout(waitMs) };
  return new Promise((resolve) => {
    const hold = (lock: Lock | null) => {
      resolve(lock && id);
      if (!lock) return undefined;
      release();
      return new Promise<void>((done) => {
        release = done;
      });
    };
    navigator.locks.request(`${TAB_KEY}.${id}`, options, hold).catch(() => resolve(null));
  });
}

async function acquireFirst(ids: readonly string[]): Promise<string | null> {
  for (const id of ids) if ((await acquire(id)) !== null) return id;
  return null;
}
