import { createRoute } from '@tanstack/react-router';
import type { ComponentType } from 'react';
import { validSearch } from '#web/ui/search-params.ts';
import { lazyPage } from '../shell/lazy-page.tsx';
import { rootRoute } from './root.tsx';

const getParentRoute = () => rootRoute;

type LoadPage<N extends string> = () => Promise<Record<N, ComponentType>>;

/** A page without search parameters. */
export const pageRoute = <const P extends string, N extends string>(path: P, load: LoadPage<N>, name: N) =>
  createRoute({ getParentRoute, path, component: lazyPage(load, name) });

/** A page whose state stands in the address. @param parse leaves out what is not valid */
export const searchRoute = <const P extends string, S extends object, N extends string>(
  path: P,
  parse: (raw: Record<string, unknown>) => S,
  load: LoadPage<N>,
  name: N,
) => createRoute({ getParentRoute, path, validateSearch: validSearch(parse), component: lazyPage(load, name) });
