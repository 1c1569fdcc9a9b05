import { expect } from '@playwright/test';
import { dialog, heading, press, type View } from './view.ts';

/** Presets, styles and names of references on Create, and the palette with media. */
export const promptHelpViews: readonly View[] = [
  {
    name: 'image form, styles',
    path: '/create/image.create/imgmodel-a-2',
    open: async (page) => {
      await press(page, 'Styles');
      await press(page, 'Watercolor');
      await page.getByRole('textbox', { name: 'Prompt' }).fill('The hat of @Image1, watercolor painting');
    },
    reach: (page) => expect(page.getByText('@Image1 names no reference')).toBeVisible(),
  },
  {
    name: 'presets and recent prompts',
    path: '/create/image.create/imgmodel-a-2',
    open: async (page) => {
      await press(page, 'Presets');
      await expect(page.getByRole('link', { name: 'Apply Pears for the team' })).toBeVisible();
    },
    reach: (page) => expect(page.getByRole('button', { name: 'Three pears' }).first()).toBeVisible(),
  },
  {
    name: 'save a preset',
    path: '/create/image.create/imgmodel-a-2',
    open: async (page) => {
      await press(page, 'Presets');
      await press(page, 'Save this form');
    },
    reach: (page) => dialog(page, 'Save this form'),
  },
  {
    name: 'name a reference',
    path: '/create/image.create/imgmodel-a-2',
    open: (page) => press(page, /^Reference$/),
    reach: (page) => expect(page.getByText('Add a reference below first.')).toBeVisible(),
  },
  {
    name: 'palette, with media',
    path: '/models',
    open: async (page) => {
      await heading('Models & prices')(page);
      await page.keyboard.press('ControlOrMeta+k');
      await page.getByRole('combobox', { name: /^Search pages/ }).fill('pears');
    },
    reach: (page) => expect(page.getByRole('option', { name: /^Three pears/ })).toBeVisible(),
  },
];
