import { playSound } from './play-sound.ts';
import { showNotification } from './browser-notifications.ts';
import { readCompletionPreferences } from './completion-preferences.ts';

/** All tabs learn of the same completion within this time. */
const DEDUPE_MS = 4_000;

/** Notifies a person as they chose on this device, from one tab only. */
export async function notifyUser(title: string, body: string): Promise<void> {
  const { notify, sound } = readCompletionPreferences();
  if (!notify && !sound) return;
  await runInOneTab(async () => {
    if (notify) showNotification(title, body);
    if (sound) await playSound().catch(() => undefined);
  });
}

async function runInOneTab(work: () => Promise<void>): Promise<void> {
  // Insecure origins have no locks: there two tabs may both notify.
  const { locks } = navigator;
  if (!locks) return work();
  await locks.request('emulsion.ring', { ifAvailable: true }, async (lock) => {
    if (lock === null) return;
    await work();
    await new Promise((resolve) => setTimeout(resolve, DEDUPE_MS));
  });
}
