import type { Seed } from './seed.ts';
import { dialog, heading, press, text, type View } from './view.ts';

/** Next steps of results, and the fields that take them. */
export const continueViews = (seed: Seed): View[] => [
  {
    name: 'image form, rare ratios',
    path: '/create/image.create/imgmodel-a-2',
    open: (page) => press(page, /^\d+ more$/),
    reach: (page) => dialog(page, 'More options'),
  },
  {
    name: 'video form, with a start frame',
    path: `/create/video.create/vidmodel-c-2?use=${seed.picture}&fields=first_frame`,
    open: async (page) => {
      await text(/follows the picture/)(page);
      await page.getByText('Add references').click();
    },
    reach: text(/follows the picture/),
  },
  {
    name: 'the last frame of a clip, before it is saved',
    path: `/create/video.create?use=${seed.trimmed}&fields=first_frame&frame=last`,
    reach: heading('Continue from the last frame?'),
  },
];
