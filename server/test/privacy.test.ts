import { type ExternalOperation, externalOperations, internalOperations } from '@classledger/contract';
import { expect, it } from 'vitest';

/** Schemas of answers hold only data that the caller needs; `internal-access.test.ts` covers the answers. */

const operations = [...Object.values(internalOperations), ...Object.values(externalOperations)];

it.each(operations.map(({ id, data }) => [id, data] as const))(
  'the schemas of answers declare every field: %s',
  (_id, data) => {
    expect(openParts(data)).toEqual([]);
  },
);

/** Returns parts of a schema without a type, and objects with undeclared fields. */
function openParts(schema: unknown, path = 'data'): string[] {
  const part = schema as {
    type?: string | string[];
    enum?: unknown[];
    anyOf?: unknown[];
    properties?: Record<string, unknown>;
    items?: unknown;
    additionalProperties?: unknown;
    patternProperties?: unknown;
  };
  if (part.anyOf) return part.anyOf.flatMap((each) => openParts(each, path));
  const types = [part.type ?? []].flat();
  if (types.length === 0 && !part.enum) return [path];
  if (types.includes('array')) {
    return part.items === undefined ? [path] : openParts(part.items, `${path}[]`);
  }
  if (!types.includes('object')) return [];
  const isOpen =
    part.properties === undefined ||
    part.patternProperties !== undefined ||
    (part.additionalProperties ?? false) !== false;
  const below = Object.entries(part.properties ?? {});
  return [
    ...(isOpen ? [path] : []),
    ...below.flatMap(([name, field]) => openParts(field, `${path}.${name}`)),
  ];
}

it('the external API declares no email address in any answer', () => {
  for (const { id, data } of Object.values<ExternalOperation>(externalOperations)) {
    const fields = [...JSON.stringify(data).matchAll(/"(\w*e_?mail\w*)":\{/gi)].map(([, name]) => name);
    expect(
      fields.filter((name) => name !== 'emailBound' && name !== 'emailBoundAt'),
      id,
    ).toEqual([]);
  }
});
