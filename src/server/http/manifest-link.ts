/** Builds the Link header that leads from a file to its manifest of content credentials: C2PA 2.2, section 12.5. */
export const manifestLink = (url: string): { link: string } => ({ link: `<${url}>; rel="c2pa-manifest"` });
