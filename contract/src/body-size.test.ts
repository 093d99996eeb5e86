import type { TObject, TSchema } from 'typebox';
import { expect, it } from 'vitest';
import { bodyBytesMax } from './body-size.ts';
import { internalOperations } from './internal/index.ts';
import { limits } from './limits.ts';
import { hasForms, type InternalOperation } from './operation.ts';

function largest(schema: TSchema & Record<string, unknown>): unknown {
  const entry = (schema['x-entry'] ?? schema.items) as TSchema | undefined;
  if (entry) return Array.from({ length: schema.maxItems as number }, () => largest(entry as never));
  const { properties } = schema as { properties?: Record<string, TSchema> };
  if (properties) {
    return Object.fromEntries(
      Object.entries(properties).map(([name, field]) => [name, largest(field as never)]),
    );
  }
  if (schema.maxLength !== undefined) return '😀'.repeat(schema.maxLength as number);
  if (schema.enum) return (schema.enum as unknown[]).at(0);
  return Number.MAX_SAFE_INTEGER;
}

const escaped = (value: unknown) =>
  JSON.stringify(value, null, 8).replaceAll(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16)}`);

const taking = Object.values(internalOperations as Record<string, InternalOperation>).filter(
  ({ body }) => body !== undefined,
);

it.each(taking)(
  'the body size limit of $id exceeds its largest valid body, or is 1 MiB or more',
  ({ body }) => {
    const max = bodyBytesMax(body);
    if (max >= limits.bodyBytesMax) return;
    expect(max).toBe(65_536);
    const forms = hasForms(body as never) ? Object.values((body as { forms: object }).forms) : [body];
    for (const form of forms as TObject[]) {
      const whole = { schoolDb: `school_${Number.MAX_SAFE_INTEGER}`, ...(largest(form as never) as object) };
      expect(escaped(whole).length).toBeLessThan(max);
    }
  },
);

it('the body size limit is 1 MiB for the listed operations, and 4 MiB only for imports', () => {
  const idsOf = (max: number) => taking.filter(({ body }) => bodyBytesMax(body) === max).map(({ id }) => id);
  const expected = `
    addScores assignClassTeachers createAnnouncement createUsers previewAnnouncement previewPromotion promoteSchool
    replaceTeams updateAnnouncement`;
  expect(idsOf(limits.bodyBytesMax).sort()).toEqual(expected.trim().split(/\s+/));
  expect(idsOf(limits.importBytesMax).sort()).toEqual(['checkImport', 'startImport']);
  expect(bodyBytesMax(undefined)).toBe(65_536);
});
