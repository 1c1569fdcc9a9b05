import { playSound } from './play-sound.ts';
import { showNotification } from './browser-notifications.ts';
import { readCompletionPreferences } from './completion-preferences.ts';

/** Tabs that hear of the same end do so within that time. */
const DEDUPE_MS = 4_000;

/** Tells a person who looks elsewhere, as they chose on this device; once, however many tabs hear of it. */
export async function notifyUser(title: string, body: string): Promise<void> {
  const { notify, sound } = readCompletionPreferences();
  if (!notify && !sound) return;
  await runInOneTab(async () => {
    if (notify) showNotification(title, body);
    if (sound) await playSound().catch(() => undefined);
  });
}

async function runInOneTab(work: () => Promise<void>): Promise<void> {
  // Only secure addresses have locks; elsewhere two tabs may both ring.
  const { locks } = navigator;
  if (!locks) return work();
  await locks.request('emulsion.ring', { ifAvailable: true }, async (lock) => {
    if (lock === null) return;
    await work();
    await new Promise((resolve) => setTimeout(resolve, DEDUPE_MS));
  });
}
