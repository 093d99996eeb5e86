import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

/** What a package.json says, as far as it matters here. */
export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly cpu?: readonly string[];
}

/** A package that the server needs, where it is installed. */
export interface InstalledPackage extends Manifest {
  /** Of the repository, such as `node_modules/ajv/node_modules/fast-uri`. */
  readonly path: string;
}

export interface ProductionPackages {
  /** Plain JavaScript, the same on every machine. */
  readonly portable: readonly InstalledPackage[];
  /** What differs from machine to machine, by name with the exact version; npm brings it at the installation. */
  readonly native: Readonly<Record<string, string>>;
}

export function readManifest(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
}

/**
 * Finds all that the given workspaces need to run, in the versions that are installed.
 *
 * @param ours names of the workspaces; their own code is no package
 * @throws Error when something is not installed, or where only the place inside a workspace would find it
 */
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

/** One of several packages of which npm installs those that run here, as those of @node-rs/argon2. */
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
