import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

interface Dependency {
  ref: string;
  dependsOn?: string[];
}

/** Of packages that npm installs for development, such as those that the build contains. */
const DEVELOPMENT = 'cdx:npm:package:development';

/** The parts of a CycloneDX document that are changed here. */
export interface Sbom {
  serialNumber?: string;
  metadata: { timestamp?: string; component: { 'bom-ref': string; name: string; type: string } };
  components: { 'bom-ref': string; properties?: { name: string; value: string }[] }[];
  dependencies: Dependency[];
}

/**
 * Limits npm's list of all installed packages to those that ship, and leaves out what differs between two builds.
 * @param shipped as `name@version`
 */
export function limitSbom(sbom: Sbom, name: string, shipped: ReadonlySet<string>): Sbom {
  const { serialNumber: _serialNumber, metadata, ...rest } = sbom;
  const { timestamp: _timestamp, ...stable } = metadata;
  const own = metadata.component['bom-ref'];
  const isShipped = (ref: string) => ref === own || shipped.has(ref.split('|')[0] ?? ref);
  return {
    ...rest,
    metadata: { ...stable, component: { ...metadata.component, name, type: 'application' } },
    components: sbom.components
      .filter((component) => isShipped(component['bom-ref']))
      .map(({ properties = [], ...component }) => ({
        ...component,
        properties: properties.filter(({ name }) => name !== DEVELOPMENT),
      })),
    dependencies: sbom.dependencies
      .filter(({ ref }) => isShipped(ref))
      .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter(isShipped) })),
  };
}

/** Writes the CycloneDX list of the packages of a build beside its manifest. */
function writeSbom(root: string): void {
  const readJson = (file: string): unknown => JSON.parse(readFileSync(path.join(root, file), 'utf8'));
  const { name } = readJson('package.json') as { name: string };
  const shipped = new Set(readJson('dist/.vite/packages.json') as string[]);
  const maxBuffer = 2 ** 27;
  const listed = execFileSync('npm', ['sbom', '--sbom-format=cyclonedx'], { cwd: root, maxBuffer, encoding: 'utf8' });
  const sbom = limitSbom(JSON.parse(listed) as Sbom, name, shipped);
  const missing = shipped.size - sbom.components.length;
  if (missing !== 0) throw new Error(`${Math.abs(missing)} packages of the build are not in the list of npm.`);
  writeFileSync(path.join(root, 'dist/.vite/sbom.cdx.json'), `${JSON.stringify(sbom, null, 2)}\n`);
}

if (import.meta.main) writeSbom(path.join(import.meta.dirname, '../..'));
