import { createAtom, useSelector } from '@tanstack/react-store';

export type Theme = 'system' | 'light' | 'dark';

// The inline script of index.html reads the same name before the first paint.
const storageName = 'emulsion.theme';

function readTheme(): Theme {
  try {
    const stored = localStorage.getItem(storageName);
    return stored === 'light' || stored === 'dark' ? stored : 'system';
  } catch {
    return 'system';
  }
}

const selectedTheme = createAtom(readTheme());

const barColors = { light: '#f9f9f9', dark: '#0d0d0d' };

function applyTheme() {
  const theme = selectedTheme.get();
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  for (const scheme of ['light', 'dark'] as const) {
    const bar = document.querySelector(`meta[name="theme-color"][media*="${scheme}"]`);
    bar?.setAttribute('content', barColors[theme === 'system' ? scheme : theme]);
  }
}

/** Applies the stored theme and follows changes in other tabs. Call once. */
export function startTheme(): void {
  applyTheme();
  window.addEventListener('storage', (event) => {
    if (event.key === storageName) setTheme(readTheme());
  });
}

export function setTheme(next: Theme): void {
  selectedTheme.set(next);
  try {
    if (next === 'system') localStorage.removeItem(storageName);
    else localStorage.setItem(storageName, next);
  } catch {
    // Storage is forbidden here: the theme lasts until the tab closes.
  }
  applyTheme();
}

export function useTheme(): Theme {
  return useSelector(selectedTheme);
}
