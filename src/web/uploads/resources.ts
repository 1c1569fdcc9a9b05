/** Where the service collects the parts of what is sent in parts, by the sending. */
const resources = new Map<string, string>();
const listeners = new Set<(id: string, resource: string) => void>();

export const resourceOf = (id: string): string | null => resources.get(id) ?? null;

export function setResource(id: string, resource: string): void {
  resources.set(id, resource);
  for (const listener of listeners) listener(id, resource);
}

export const dropResource = (id: string): void => void resources.delete(id);

export const onResource = (listener: (id: string, resource: string) => void): void => void listeners.add(listener);
