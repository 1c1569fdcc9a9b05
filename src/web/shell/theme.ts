import { useSyncExternalStore } from 'react';

export type Theme = 'system' | 'light' | 'dark';

// The inline script of index.html reads the same name before the first paint.
const storage_name = 'emulsion.theme';
const listeners = new Set<() => void>();
const prefersDark = typeof matchMedia === 'function' ? matchMedia('(prefers-color-scheme: dark)') : null;

function readTheme(): Theme {
  try {
    const stored = localStorage.getItem(storage_name);
    return stored === 'light' || stored === 'dark' ? stored : 'system';
  } catch {
    return 'system';
  }
}

let theme: Theme = readTheme();

function apply() {
  const dark = theme === 'dark' || (theme === 'system' && prefersDark?.matches === true);
  document.documentElement.dataset.theme = dark ? 'dark' : 'light';
  document.querySelector('meta[name="theme-color"]')?.setAttribute('content', dark ? '#0d0d0d' : '#f9f9f9');
}

/** Keeps the look in step with the system, while that is what is chosen, and with other tabs. Call once. */
export function followSystemTheme(): void {
  prefersDark?.addEventListener('change', apply);
  window.addEventListener('storage', (event) => {
    if (event.key === storage_name) setTheme(readTheme());
  });
}

/** Changes the look at once and remembers it on this device. */
export function setTheme(next: Theme): void {
  theme = next;
  try {
    if (next === 'system') localStorage.removeItem(storage_name);
    else localStorage.setItem(storage_name, next);
  } catch {
    // Storage is forbidden here: the choice holds until the tab closes.
  }
  apply();
  for (const listener of listeners) listener();
}

/** The chosen theme, for components. */
export function useTheme(): Theme {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => theme,
    () => 'system',
  );
}
