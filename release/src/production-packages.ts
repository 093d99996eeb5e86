import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly cpu?: readonly string[];
}

export interface InstalledPackage extends Manifest {
  /** Relative to the repository. */
  readonly path: string;
}

export interface ProductionPackages {
  readonly portable: readonly InstalledPackage[];
  /** Platform-specific packages with exact versions; npm installs them. */
  readonly native: Readonly<Record<string, string>>;
}

export function readManifest(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
}

/** Finds all packages that the workspaces `ours` need to run. @throws Error if one is missing or inside a workspace */
export function productionPackages(repository: string, ours: readonly string[]): ProductionPackages {
  const portable = new Map<string, InstalledPackage>();
  const native: Record<string, string> = {};
  const visit = (name: string, from: string) => {
    if (ours.includes(name) || isForTypes(name)) return;
    const folder = installedAt(repository, name, from);
    const path = relative(repository, folder);
    if (portable.has(path)) return;
    const manifest = readManifest(folder);
    const optional = Object.keys(manifest.optionalDependencies ?? {});
    if (optional.some((one) => isForOnePlatform(repository, one))) {
      native[name] = manifest.version;
      return;
    }
    if (!path.startsWith('node_modules/')) throw new Error(`${path} is needed beside the packages of all`);
    portable.set(path, { ...manifest, path });
    for (const next of [...Object.keys(manifest.dependencies ?? {}), ...optional]) visit(next, folder);
  };
  for (const folder of ours.map((name) => realpathSync(join(repository, 'node_modules', name)))) {
    const { dependencies, optionalDependencies } = readManifest(folder);
    for (const name of Object.keys(dependencies ?? {})) visit(name, folder);
    Object.assign(native, optionalDependencies);
  }
  return { portable: [...portable.values()], native };
}

const isForTypes = (name: string) => name.startsWith('@types/');

/** Detects packages for one platform, such as those of @node-rs/argon2. npm installs only the matching one. */
function isForOnePlatform(repository: string, name: string): boolean {
  const folder = join(repository, 'node_modules', name);
  return existsSync(folder) && readManifest(folder).cpu !== undefined;
}

function installedAt(repository: string, name: string, from: string): string {
  for (let folder = from; ; folder = dirname(folder)) {
    const candidate = join(folder, 'node_modules', name);
    if (existsSync(join(candidate, 'package.json'))) return candidate;
    if (folder === repository) throw new Error(`${name} is not installed; run "npm install"`);
  }
}
