/**
 * Drafts in the storage of the browser: `emulsion.draft.<owner>.<slot>.<map>`, and when a slot changed last under
 * `emulsion.draft.<owner>.<slot>`. A slot holds the drafts of one tab. Those of a visitor who has not signed in end
 * with the tab.
 */
export interface Slot {
  id: string;
  /** Null until the service has confirmed a session. */
  owner: string | null;
}

const PREFIX = 'emulsion.draft.';
const STORED_FOR_MS = 30 * 86_400_000;
/** Browsers store 5 million characters of an origin, in which the session needs room too. */
const MAX_CHARACTERS = 3_000_000;
const MAX_SLOTS = 12;

const ownerPrefix = (owner: string) => `${PREFIX}${owner}.`;
const slotKey = ({ owner, id }: Slot) => `${PREFIX}${owner ?? ''}.${id}`;
const areaOf = ({ owner }: Pick<Slot, 'owner'>): Storage => (owner === null ? sessionStorage : localStorage);
const keysOf = (area: Storage, prefix: string) => Object.keys(area).filter((key) => key.startsWith(prefix));
const itemKeys = (slot: Slot) => keysOf(areaOf(slot), `${slotKey(slot)}.`);

/** @throws where the browser forbids storage, as all below */
export const readItem = (slot: Slot, map: string): string | null => areaOf(slot).getItem(`${slotKey(slot)}.${map}`);

/**
 * Deletes older drafts of other tabs if there is no room.
 * @throws if there is none without them either
 */
export function writeItem(slot: Slot, map: string, json: string | null): void {
  const area = areaOf(slot);
  const key = `${slotKey(slot)}.${map}`;
  area.removeItem(key);
  if (json !== null) {
    makeRoom(slot, json.length);
    area.setItem(key, json);
  }
  if (!hasItems(slot)) area.removeItem(slotKey(slot));
  else area.setItem(slotKey(slot), String(Date.now()));
}

/** Ids of the slots of a person, the newest first. Deletes those that are too old or too many. */
export function listSlots(owner: string): string[] {
  const stored = sortedSlots(ownerPrefix(owner));
  const isCurrent = ({ changedAtMs }: StoredSlot, at: number) =>
    at < MAX_SLOTS && changedAtMs > Date.now() - STORED_FOR_MS;
  for (const slot of stored.filter((each, at) => !isCurrent(each, at))) deleteSlot(slot);
  return stored.filter(isCurrent).map(({ id }) => id);
}

export const hasItems = (slot: Slot): boolean => itemKeys(slot).length > 0;

export function copySlot(from: Slot, to: Slot): void {
  for (const key of itemKeys(from)) writeItem(to, key.slice(slotKey(from).length + 1), areaOf(from).getItem(key));
}

export function deleteSlot(slot: Slot): void {
  for (const key of [slotKey(slot), ...itemKeys(slot)]) areaOf(slot).removeItem(key);
}

export function deleteSlotsOf(owner: string): void {
  for (const key of keysOf(localStorage, ownerPrefix(owner))) localStorage.removeItem(key);
}

interface StoredSlot extends Slot {
  changedAtMs: number;
}

function sortedSlots(prefix: string): StoredSlot[] {
  return keysOf(localStorage, prefix)
    .flatMap((key) => {
      const [owner = '', id = '', map] = key.slice(PREFIX.length).split('.');
      return map === undefined ? [{ id, owner, changedAtMs: Number(localStorage.getItem(key)) }] : [];
    })
    .sort((a, b) => b.changedAtMs - a.changedAtMs);
}

function makeRoom(slot: Slot, characters: number): void {
  const used = () =>
    keysOf(localStorage, PREFIX).reduce((sum, key) => sum + (localStorage.getItem(key)?.length ?? 0), 0);
  const others = sortedSlots(PREFIX).filter(({ id }) => id !== slot.id);
  while (used() + characters > MAX_CHARACTERS) {
    const oldest = others.pop();
    if (!oldest) throw new DOMException('The drafts are too large.', 'QuotaExceededError');
    deleteSlot(oldest);
  }
}
