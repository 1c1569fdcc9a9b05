import { useLayoutEffect } from 'react';

/** Says something of the whole page to the styles, on `<html>`. A `:has()` there would be judged anew on every change of the page. */
export function useRootAttribute(name: string, value: string): void {
  useLayoutEffect(() => {
    document.documentElement.dataset[name] = value;
    return () => {
      delete document.documentElement.dataset[name];
    };
  }, [name, value]);
}
