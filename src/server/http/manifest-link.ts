/** Builds the Link header that leads from a file to its manifest of content credentials. */
export const manifestLink = (url: string): { link: string } => ({ link: `<${url}>; rel="c2pa-manifest"` });
