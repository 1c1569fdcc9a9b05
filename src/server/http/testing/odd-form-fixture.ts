import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { endpoints } from '#contract/api/endpoints.ts';
import { VERIFY_PATH } from '#contract/limits.ts';
import { createTestService, type TestService } from '#server/app/testing/test-service.ts';
import { createScriptedEngine } from '#server/studio/generations/testing/scripted-engine.ts';
import { FORM_TYPE, type OddForm } from '#server/studio/uploads/testing/odd-forms.ts';
import { COMPAT_ADAPTERS } from '../compat/compat-adapters.ts';

/** Every route that reads a multipart form, from the tables that routes are built from. */
export const FORM_ROUTES: readonly string[] = [
  ...Object.values(endpoints).flatMap((spec) =>
    'body' in spec && spec.body === 'multipart' ? [`${spec.method} ${spec.path}`] : [],
  ),
  ...COMPAT_ADAPTERS.flatMap(({ prefix, rows }) =>
    rows.flatMap(({ method, path, reads }) => (reads?.includes('form') ? [`${method} ${prefix}${path}`] : [])),
  ),
  `POST ${VERIFY_PATH}`,
];

export interface OddFormFixture {
  service(): TestService;
  /** @param route method and path */
  send(route: string, form: OddForm): Promise<{ status: number; text: string }>;
  expectRefused(route: string, forms: readonly OddForm[]): Promise<void>;
  /** Method and path of each route that may take a body, from the router. */
  listRoutes(): string[];
}

/** Checks after each test that no error came outside of a request, which would end a process. */
export function createOddFormFixture(): OddFormFixture {
  let started: TestService | undefined;
  const service = (): TestService => {
    if (!started) throw new Error('The service of these tests is not started yet.');
    return started;
  };
  const uncaught: unknown[] = [];
  const onUncaught = (error: unknown) => void uncaught.push(error);
  beforeAll(async () => {
    process.on('uncaughtException', onUncaught);
    started = await createTestService({
      engines: [createScriptedEngine()],
      config: { rateLimitPerMinute: 1_000_000, publicRateLimitPerMinute: 1_000_000 },
    });
  });
  afterEach(() => expect(uncaught).toEqual([]));
  afterAll(async () => {
    process.off('uncaughtException', onUncaught);
    await started?.close();
  });

  let requests = 0;
  const send: OddFormFixture['send'] = async (route, { contentType = FORM_TYPE, body }) => {
    const [method = '', path = ''] = route.split(' ');
    const scheme = path.startsWith('/compat/fal') ? 'Key' : 'Bearer';
    requests += 1;
    const response = await service().app.inject({
      method: method as 'POST',
      url: path.replaceAll(/:\w+|\*$/g, '00000000000000000000000000'),
      headers: {
        authorization: `${scheme} ${service().keys.organization}`,
        'sec-fetch-site': 'same-origin',
        ...(contentType === null ? {} : { 'content-type': contentType }),
      },
      payload: body,
      // No limit of an address refuses it first.
      remoteAddress: `10.${requests >> 16}.${(requests >> 8) & 255}.${requests & 255}`,
    });
    // Events of a parser may come after the response.
    await new Promise((resolve) => setImmediate(resolve));
    return { status: response.statusCode, text: response.body };
  };
  return {
    service,
    send,
    async expectRefused(route, forms) {
      const others: string[] = [];
      for (const form of forms) {
        const { status } = await send(route, form);
        if (status < 400 || status >= 500 || uncaught.length > 0) others.push(`${form.odd}: ${status}`);
      }
      expect(others).toEqual([]);
      expect((await service().app.inject('/healthz')).statusCode).toBe(200);
    },
    listRoutes() {
      const path: string[] = [];
      return service()
        .app.printRoutes({ commonPrefix: false })
        .split('\n')
        .flatMap((line) => {
          const [, indent = '', url = '', methods = ''] = /^([│├└─\s]*)(\S+) \((.+)\)$/.exec(line) ?? [];
          path.splice(indent.length / 4 - 1, Infinity, url);
          return methods
            .split(', ')
            .flatMap((method) =>
              ['POST', 'PUT', 'PATCH', 'DELETE'].includes(method) ? [`${method} ${path.join('')}`] : [],
            );
        });
    },
  };
}
