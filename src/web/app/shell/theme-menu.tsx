import { Monitor, Moon, Sun, type LucideIcon } from 'lucide-react';
import { IconButton } from '#web/ui/icon-button.tsx';
import { Menu, MenuRadioItem } from '#web/ui/menu.tsx';
import { setTheme, useTheme, type Theme } from '#web/ui/theme.ts';

export const THEME_OPTIONS = {
  system: { label: 'System', icon: Monitor },
  light: { label: 'Light', icon: Sun },
  dark: { label: 'Dark', icon: Moon },
} satisfies Record<Theme, { label: string; icon: LucideIcon }>;

export const THEME_ORDER = ['system', 'light', 'dark'] as const satisfies readonly Theme[];

export function ThemeMenu() {
  const theme = useTheme();
  const Icon = THEME_OPTIONS[theme].icon;
  return (
    <Menu
      label="Theme"
      side="top"
      renderTrigger={(props) => (
        <IconButton {...props} label="Theme" icon={<Icon aria-hidden="true" className="size-4" />} />
      )}
    >
      {THEME_ORDER.map((value) => {
        const { label, icon: Choice } = THEME_OPTIONS[value];
        return (
          <MenuRadioItem
            key={value}
            chosen={value === theme}
            icon={<Choice aria-hidden="true" />}
            onSelect={() => setTheme(value)}
          >
            {label}
          </MenuRadioItem>
        );
      })}
    </Menu>
  );
}
