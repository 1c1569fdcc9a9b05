import { SegmentedControl } from '#web/ui/segmented-control.tsx';
import { setTheme, useTheme } from '#web/ui/theme.ts';
import { THEME_OPTIONS, THEME_ORDER } from './theme-menu.tsx';

export function ThemeControl() {
  const theme = useTheme();
  return (
    <SegmentedControl
      label="Theme"
      stretch
      value={theme}
      onChange={setTheme}
      options={THEME_ORDER.map((value) => {
        const { label, icon: Icon } = THEME_OPTIONS[value];
        return {
          value,
          label: (
            <>
              <Icon aria-hidden="true" className="size-4" />
              {label}
            </>
          ),
        };
      })}
    />
  );
}
