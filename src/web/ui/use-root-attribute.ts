import { useLayoutEffect } from 'react';

/**
 * Sets a data attribute on `<html>` for styles of the whole page. A `:has()` there would be evaluated on every change
 * of the page.
 */
export function useRootAttribute(name: string, value: string): void {
  useLayoutEffect(() => {
    document.documentElement.dataset[name] = value;
    return () => {
      delete document.documentElement.dataset[name];
    };
  }, [name, value]);
}
