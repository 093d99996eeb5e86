import { stripTypeScriptTypes } from 'node:module';
import { dirname, posix } from 'node:path';
import { parseSync } from 'oxc-parser';

/**
 * What Node.js itself would run of a TypeScript file, with imports that find the files beside it under their new
 * names. Types are replaced by blanks, so lines and columns in a stack trace are those of the source.
 *
 * Node.js takes types away only outside of `node_modules`, and an installed product lies inside.
 *
 * @param path of the file, from the top of the product
 * @param places where the packages of ours begin, by name, from the top of the product
 * @throws Error when a file is named in a way that is not an import and would not be found
 */
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
  // One statement may name a file for several names.
  const spans = new Map(named.map(({ start, end }) => [start, end]));
  for (const [start, end] of [...spans].sort(([one], [other]) => other - one)) {
    const quoted = /^(['"])(.+)\1$/.exec(code.slice(start, end));
    // An import of what is computed is the code's own business.
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
