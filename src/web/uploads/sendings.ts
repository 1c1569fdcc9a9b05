import type { Upload } from '#contract/resources/upload.ts';
import type { Engine } from '#web/uploads/create-engine.ts';

/** Where a file goes besides the uploads: a field of a form. */
export interface Place {
  form: string;
  field: string;
}

/** Why a file waits although its turn has come. `postponed`: the service refused it for now, see `problem`. */
export type Hold = 'paused' | 'offline' | 'unreachable' | 'postponed' | 'signed_out';

/**
 * `checking`: all of it has been sent, and the service judges it. `held`: see `hold`. `lost`: the page no longer has
 * the file, it is to be chosen again. `failed`: see `problem`. `done`: see `upload_id`.
 */
export type SendingState = 'waiting' | 'sending' | 'checking' | 'held' | 'lost' | 'failed' | 'done';

/** A file on its way. */
export interface Sending {
  id: string;
  place: Place | null;
  name: string;
  size_bytes: number;
  sent_bytes: number;
  /** While it is being sent; null until that is known. */
  bytes_per_second: number | null;
  state: SendingState;
  hold: Hold | null;
  /** Why it did not arrive, or not yet, as a sentence. */
  problem: string | null;
  /** Whether sending it once more may help. */
  again: boolean;
  upload_id: string | null;
  /** Of what has arrived since the page was opened. */
  upload: Upload | null;
  /** Nobody needs to see it any more, but a form still waits for it. */
  dismissed?: boolean;
}

let sendings: readonly Sending[] = [];
const files = new Map<string, File>();
const forms = new Map<string, number>();
const listeners = new Set<() => void>();

/** In the order in which they were given; the same array until something in it changes. */
export const readSendings = (): readonly Sending[] => sendings;

export const fileOf = (id: string): File | undefined => files.get(id);

export function subscribeSendings(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function publish(next: readonly Sending[]): void {
  sendings = next;
  for (const listener of listeners) listener();
}

export const changeSending = (id: string, change: Partial<Sending>): void =>
  publish(sendings.map((each) => (each.id === id ? { ...each, ...change } : each)));

export function dropSending(id: string): void {
  files.delete(id);
  publish(sendings.filter((each) => each.id !== id));
}

/** Lists files as they are; those without their file can't be sent. */
export function putSendings(added: readonly { sending: Sending; file?: File | null | undefined }[]): void {
  for (const { sending, file } of added) if (file) files.set(sending.id, file);
  publish([...sendings, ...added.map(({ sending }) => sending)]);
}

/** Gives a file to one that is listed. */
export const giveFile = (id: string, file: File): void => void files.set(id, file);

/** While it is open, a form shows for itself what goes to it. Returns what to call when it is left. */
export function openForm(form: string): () => void {
  forms.set(form, (forms.get(form) ?? 0) + 1);
  publish([...sendings]);
  return () => {
    forms.set(form, (forms.get(form) ?? 1) - 1);
    publish([...sendings]);
  };
}

export const isFormOpen = (form: string): boolean => (forms.get(form) ?? 0) > 0;

const fresh = { sent_bytes: 0, bytes_per_second: null, hold: null, again: false, upload_id: null, upload: null };
let last = 0;

/**
 * Sends files, a few at a time. This is the one way to do so.
 * @param problemOf why one is not to be sent at all
 */
export function sendFiles(
  given: readonly File[],
  place: Place | null,
  problemOf: (file: File) => string | null = () => null,
): void {
  const added = given.map((file) => {
    const problem = problemOf(file);
    last += 1;
    const id = `${Date.now().toString(36)}-${String(last).padStart(5, '0')}-${Math.random().toString(36).slice(2, 8)}`;
    const { name, size: size_bytes } = file;
    const state: SendingState = problem === null ? 'waiting' : 'failed';
    return { file, sending: { ...fresh, id, place, name, size_bytes, state, problem } };
  });
  putSendings(added);
  if (added.every(({ sending }) => sending.problem !== null)) return;
  bringEngine().then(
    ({ startEngine }) => startEngine(),
    () => {
      for (const { sending } of added)
        if (sending.problem === null)
          changeSending(sending.id, {
            state: 'failed',
            problem: 'This page could not load what sends files. Check the connection.',
            again: true,
          });
    },
  );
}

/** What sends them is fetched with the first file. */
const bringEngine = () => import('#web/uploads/engine.ts');

/** Has something done with files on their way. Not imported at once: what only shows them needs little. */
export const withEngine = (work: (engine: Engine) => void): void =>
  void bringEngine().then(
    ({ engine }) => work(engine),
    () => undefined,
  );
