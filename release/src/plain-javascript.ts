import { stripTypeScriptTypes } from 'node:module';
import { dirname, posix } from 'node:path';
import { parseSync } from 'oxc-parser';

/** Replaces types with blanks: Node.js strips none in `node_modules`. @throws Error on a .ts path outside an import */
export function plainJavaScript(
  path: string,
  source: string,
  places: Readonly<Record<string, string>>,
): string {
  let code = stripTypeScriptTypes(source);
  const { module, errors } = parseSync(path.replace(/\.ts$/, '.js'), code);
  if (errors[0]) throw new Error(`${path}: ${errors[0].message}`);
  const named = [
    ...module.staticImports.map(({ moduleRequest }) => moduleRequest),
    ...module.staticExports.flatMap(({ entries }) => entries.map(({ moduleRequest }) => moduleRequest)),
    ...module.dynamicImports.map(({ moduleRequest }) => moduleRequest),
  ].filter((request) => request !== null);
  // An import of several names occurs several times; the map keeps it once.
  const spans = new Map(named.map(({ start, end }) => [start, end]));
  for (const [start, end] of [...spans].sort(([one], [other]) => other - one)) {
    const quoted = /^(['"])(.+)\1$/.exec(code.slice(start, end));
    if (!quoted) continue;
    const [, quote, name] = quoted as unknown as [string, string, string];
    code = `${code.slice(0, start)}${quote}${newName(path, name, places)}${quote}${code.slice(end)}`;
  }
  const left = /^(?!\s*(?:\/\/|\*|\/\*)).*(['"`])\.{1,2}\/[^'"`\n]*\.ts\1/m.exec(code);
  if (left) throw new Error(`${path} names a TypeScript file that is not an import: ${left[0].trim()}`);
  return code;
}

function newName(path: string, name: string, places: Readonly<Record<string, string>>): string {
  const place = places[name];
  if (place !== undefined) {
    const relative = posix.relative(dirname(path), place);
    return (relative.startsWith('.') ? relative : `./${relative}`).replace(/\.ts$/, '.js');
  }
  return name.startsWith('.') ? name.replace(/\.ts$/, '.js') : name;
}
