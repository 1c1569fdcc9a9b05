import { useLayoutEffect } from 'react';

/** For styles of the whole page: a `:has()` there would be evaluated on every change of the page. */
export function useRootAttribute(name: string, value: string): void {
  useLayoutEffect(() => {
    document.documentElement.dataset[name] = value;
    return () => {
      delete document.documentElement.dataset[name];
    };
  }, [name, value]);
}
