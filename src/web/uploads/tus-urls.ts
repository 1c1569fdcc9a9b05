/** Where the service collects the parts of what is sent in parts, by the sending. */
const tusUrls = new Map<string, string>();
const listeners = new Set<(id: string, resource: string) => void>();

export const getTusUrl = (id: string): string | null => tusUrls.get(id) ?? null;

export function setTusUrl(id: string, resource: string): void {
  tusUrls.set(id, resource);
  for (const listener of listeners) listener(id, resource);
}

export const deleteTusUrl = (id: string): void => void tusUrls.delete(id);

export const onTusUrlChange = (listener: (id: string, resource: string) => void): void => void listeners.add(listener);
