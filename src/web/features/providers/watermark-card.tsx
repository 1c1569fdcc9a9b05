import { type Control, Controller } from 'react-hook-form';
import type { ProviderPreset } from '#contract/resources/provider-preset.ts';
import { Card } from '#web/ui/display/card.tsx';
import { Switch } from '#web/ui/controls/checkbox.tsx';
import type { ProviderFormValues } from './model-choice.ts';

interface WatermarkCardProps {
  preset: ProviderPreset;
  control: Control<ProviderFormValues>;
}

export function WatermarkCard({ preset: { name, visible_watermark }, control }: WatermarkCardProps) {
  if (!visible_watermark) return null;
  return (
    <Card title="Watermark">
      <Controller
        control={control}
        name="visible_watermark"
        render={({ field: { value, ...field } }) => (
          <Switch
            {...field}
            checked={value}
            label="Visible watermark"
            hint={`${name} draws “AI generated” into a corner of each new image and video.`}
          />
        )}
      />
    </Card>
  );
}
