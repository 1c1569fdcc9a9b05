import { Monitor, Moon, Sun, type LucideIcon } from 'lucide-react';
import { IconButton } from '#web/ui/icon-button.tsx';
import { Menu, MenuRadioGroup } from '#web/ui/menu.tsx';
import { setTheme, useTheme, type Theme } from '#web/ui/theme.ts';

export const THEME_OPTIONS = {
  system: { label: 'System', icon: Monitor },
  light: { label: 'Light', icon: Sun },
  dark: { label: 'Dark', icon: Moon },
} satisfies Record<Theme, { label: string; icon: LucideIcon }>;

export const THEME_ORDER = ['system', 'light', 'dark'] as const satisfies readonly Theme[];

export function ThemeMenu() {
  const theme = useTheme();
  const { icon: Icon } = THEME_OPTIONS[theme];
  return (
    <Menu
      label="Theme"
      side="top"
      renderTrigger={(props) => (
        <IconButton {...props} label="Theme" icon={<Icon aria-hidden="true" className="size-4" />} />
      )}
    >
      <MenuRadioGroup
        value={theme}
        onChange={setTheme}
        options={THEME_ORDER.map((value) => {
          const { label, icon: Choice } = THEME_OPTIONS[value];
          return { value, label, icon: <Choice aria-hidden="true" /> };
        })}
      />
    </Menu>
  );
}
