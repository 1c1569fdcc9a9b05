import { INVALID_REQUEST, defineEndpoint } from '../endpoint.ts';
import { ENDPOINT_ROUTES } from '../endpoint-routes.ts';
import { Settings, SettingsUpdate } from '../resources/settings.ts';

export const settingsEndpoints = {
  get_settings: defineEndpoint({
    ...ENDPOINT_ROUTES.get_settings,
    tag: 'Settings',
    summary: 'Read the settings of the organization',
    status: 200,
    response: Settings,
    errors: {},
    addition: true,
  }),
  update_settings: defineEndpoint({
    ...ENDPOINT_ROUTES.update_settings,
    tag: 'Settings',
    summary: 'Change settings of the organization; what is left out stays',
    body: SettingsUpdate,
    status: 200,
    response: Settings,
    errors: { 422: INVALID_REQUEST },
    addition: true,
  }),
} as const;
