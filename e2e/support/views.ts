import { expect } from '@playwright/test';
import { dialog, heading, press, text, type View } from './view.ts';
import { accountViews } from './account-views.ts';
import { billingViews } from './billing-views.ts';
import { continueViews } from './continue-views.ts';
import { chooseMore } from './create-page.ts';
import { promptHelpViews } from './prompt-help-views.ts';
import type { Seed } from './seed.ts';
import { emptyUploadViews, uploadViews } from './upload-views.ts';

export const signedOutViews: readonly View[] = [
  { name: 'sign in', path: '/sign-in', reach: heading('Sign in') },
  { name: 'create, signed out', path: '/create', reach: text(/^Sign in to generate/) },
  { name: 'review, signed out', path: '/review', reach: heading('Sign in to review generations') },
  { name: 'billing, signed out', path: '/billing', reach: heading('Sign in to see billing') },
  { name: 'models', path: '/models', reach: heading('Images') },
  {
    name: 'models, opened',
    path: '/models?q=2.5',
    open: (page) => page.getByText('Inputs').first().click(),
    reach: text('Inputs'),
  },
  { name: 'models, no match', path: '/models?q=walrus', reach: heading('Nothing matches') },
  { name: 'docs', path: '/docs?part=reference', reach: text('/v1/generations') },
  { name: 'settings, signed out', path: '/settings', reach: heading('Sign in to change settings') },
  { name: 'unknown page', path: '/no/such/page', reach: heading('Page not found') },
];

export const emptyViews: readonly View[] = [
  { name: 'nothing made', path: '/generations', reach: heading('No generations yet') },
  { name: 'nothing waits', path: '/review', reach: heading('No generations to review') },
  { name: 'only one key', path: '/keys', reach: heading('This is the only key') },
  { name: 'no people', path: '/people', reach: heading('Nobody has an account yet') },
  {
    name: 'invite a person',
    path: '/people',
    open: (page) => press(page, 'Invite'),
    reach: (page) => dialog(page, 'Invite a person'),
  },
  { name: 'account of a key', path: '/account', reach: heading('Sessions') },
  ...emptyUploadViews,
];

export const seededViews = (seed: Seed): View[] => [
  ...promptHelpViews,
  { name: 'image form', path: '/create/image.create/imgmodel-a-2', reach: text('Reference images') },
  {
    name: 'image form, a rule is in the way',
    path: '/create/image.create/imgmodel-a-2',
    open: async (page) => {
      // Marked as unavailable, but it can be pressed: a message then says what it takes.
      const wanted = page.getByRole('radio', { name: '4K' });
      await wanted.evaluate((element) => element.scrollIntoView({ block: 'center' }));
      await wanted.click({ force: true });
    },
    reach: (page) => expect(page.getByRole('button', { name: /^Use 4K with/ })).toBeVisible(),
  },
  {
    name: 'image form, with problems',
    path: '/create/image.edit/imgmodel-a-2.5-flare',
    open: (page) => page.getByRole('button', { name: /^Generate/ }).click(),
    reach: (page) => expect(page.getByText(/required/i).first()).toBeVisible(),
  },
  {
    name: 'video form, price opened',
    path: '/create/video.create/vidmodel-c-2',
    open: (page) => chooseMore(page, 'Price in detail'),
    reach: (page) => expect(page.getByText('Total')).toBeVisible(),
  },
  ...continueViews(seed),
  {
    name: 'models to choose from',
    path: '/create/video.create/vidmodel-c-2',
    open: (page) => press(page, /^Model:/),
    reach: (page) => dialog(page, 'Models'),
  },
  {
    name: 'trim, with a clip',
    path: `/create/video.trim?use=${seed.trimmed}`,
    reach: async (page) => expect(page.getByRole('slider', { name: 'End' })).toBeVisible(),
  },
  {
    name: 'being made',
    path: '/create/video.create/vidmodel-c-2.5',
    open: async (page) => {
      await page.getByRole('textbox', { name: 'Prompt' }).fill('A very long pan');
      await page.getByRole('spinbutton', { name: 'Length' }).fill('30');
      await press(page, /^Generate/);
    },
    reach: (page) => expect(page.getByText(/In the queue|Generating…/)).toBeVisible(),
  },
  {
    name: 'stopped',
    path: '/create/video.create/vidmodel-c-2.5',
    open: (page) =>
      page.getByRole('region', { name: 'Result' }).getByRole('button', { name: 'Cancel', exact: true }).click(),
    reach: (page) => expect(page.getByText('Canceled before it finished')).toBeVisible(),
  },
  { name: 'search form', path: '/create/social.search', reach: text('Post type') },
  {
    name: 'choose among results',
    path: '/create/image.edit',
    open: (page) => press(page, 'Library'),
    reach: (page) => expect(page.getByRole('dialog').getByRole('listitem').first()).toBeVisible(),
  },
  { name: 'generations', path: '/generations', reach: text('Three pears') },
  {
    name: 'a result of the feed',
    path: '/create',
    open: (page) => page.getByRole('region', { name: 'Your work' }).locator('[data-tile]').first().click(),
    reach: (page) => expect(page.getByRole('region', { name: 'Result' })).toBeVisible(),
  },
  {
    name: 'generations, selected',
    path: '/generations',
    open: async (page) => {
      await press(page, 'Select items');
      await page.keyboard.press('ControlOrMeta+a');
    },
    reach: (page) => expect(page.getByRole('region', { name: 'Selection' }).getByText(/selected$/)).toBeVisible(),
  },
  { name: 'generations, gallery', path: '/generations?view=gallery', reach: text('Three pears') },
  { name: 'generations, no match', path: '/generations?q=walrus', reach: heading('Nothing matches') },
  {
    name: 'generations, filters',
    path: '/generations',
    open: (page) => press(page, /^Filters/),
    reach: (page) => dialog(page, 'Filters'),
  },
  { name: 'a picture', path: `/generations/${seed.picture}`, reach: text('spring') },
  {
    name: 'a picture, looked at closely',
    path: `/generations/${seed.picture}`,
    open: (page) => press(page, /^Enlarge/),
    reach: (page) => expect(page.getByRole('dialog')).toBeVisible(),
  },
  {
    name: 'a picture, what to use it for',
    path: `/generations/${seed.picture}`,
    open: (page) => press(page, 'Continue with…'),
    reach: (page) => expect(page.getByRole('menu')).toBeVisible(),
  },
  { name: 'a clip', path: `/generations/${seed.trimmed}`, reach: text('Cost') },
  { name: 'scenes', path: `/generations/${seed.scenes}`, reach: text('Cost') },
  { name: 'found posts', path: `/generations/${seed.found}`, reach: text('Cost') },
  { name: 'a failure', path: `/generations/${seed.failed}`, reach: text('Generation failed') },
  { name: 'a canceled one', path: `/generations/${seed.canceled}`, reach: text('Canceled before it finished') },
  { name: 'one in review', path: `/generations/${seed.inReview}`, reach: text('$0.04 is reserved, not charged.') },
  { name: 'what waits', path: '/review', reach: text('A harbour at dawn') },
  { name: 'a case', path: `/review/${seed.inReview}`, reach: text('Why this needs review') },
  {
    name: 'a case, to be approved',
    path: `/review/${seed.inReview}`,
    open: (page) => press(page, 'Approve…'),
    reach: (page) => dialog(page, 'Approve this generation?'),
  },
  {
    name: 'a case, to be rejected, without a reason',
    path: `/review/${seed.inReview}`,
    open: async (page) => {
      await press(page, 'Reject…');
      await dialog(page, 'Reject this generation?');
      await press(page, /^Reject$/);
    },
    reach: text('Enter a reason.'),
  },
  { name: 'no such case', path: '/review/gen_none', reach: heading('Generation not found') },
  {
    name: 'switched off',
    path: '/create/video.lipsync',
    reach: text('“Lip sync” is unavailable on this service.'),
  },
  { name: 'no such generation', path: '/generations/gen_none', reach: heading('Generation not found') },
  {
    name: 'models compared',
    path: '/create/video.create/vidmodel-c-2.5',
    open: async (page) => {
      await chooseMore(page, 'Compare models…');
      await dialog(page, 'Compare models');
    },
    reach: (page) => expect(page.getByRole('dialog').getByRole('checkbox').first()).toBeVisible(),
  },
  {
    name: 'code of a request',
    path: '/create/image.create/imgmodel-b-2',
    open: (page) => chooseMore(page, 'Code…'),
    reach: text('Prompt is required.'),
  },
  ...billingViews(seed),
  ...uploadViews(seed),
  ...accountViews,
  {
    name: 'help',
    path: '/generations',
    only: 'wide',
    open: async (page) => {
      await heading('Generations')(page);
      await page.keyboard.press('?');
    },
    reach: (page) => dialog(page, 'Help'),
  },
  {
    name: 'palette',
    path: '/models',
    open: async (page) => {
      await heading('Models & prices')(page);
      await page.keyboard.press('ControlOrMeta+k');
    },
    reach: (page) => dialog(page, 'Jump to'),
  },
  {
    name: 'account',
    path: '/models',
    open: (page) => press(page, /Organization key$|available$/),
    loadsTwice: true,
    reach: (page) => expect(page.getByRole('menu', { name: 'Account' })).toBeVisible(),
  },
  {
    name: 'more',
    path: '/models',
    only: 'narrow',
    open: (page) => press(page, 'More'),
    reach: (page) => dialog(page, 'More'),
  },
];
