import fc from 'fast-check';
import Type from 'typebox';
import { expect, it } from 'vitest';
import { columnAt, fieldsOf, JsonRows, numberAt } from './json-rows.ts';

const schema = Type.Object({
  id: Type.Integer(),
  name: Type.String(),
  note: Type.Unsafe<string | null>({ type: ['string', 'null'] }),
  done: Type.Boolean(),
  at: Type.String({ format: 'date-time' }),
});
const fields = fieldsOf(schema);

function sent(values: readonly (string | null)[]): Buffer {
  const count = Buffer.alloc(2);
  count.writeInt16BE(values.length);
  const columns = values.flatMap((value) => {
    const text = Buffer.from(value ?? '');
    const size = Buffer.alloc(4);
    size.writeInt32BE(value === null ? -1 : text.length);
    return [size, text];
  });
  return Buffer.concat([Buffer.from('before'), count, ...columns]);
}

/** Returns an instant as PostgreSQL prints it in UTC: without trailing zeros in the fraction. */
function printed(at: Date): string {
  const [day, time = ''] = at.toISOString().slice(0, -1).split('T');
  return `${day} ${time.replace(/\.?0+$/, (zeros) => (zeros.startsWith('.') ? '' : zeros.slice(0, -zeros.length)))}+00`;
}

const text = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' })).map((each) =>
  // PostgreSQL cannot store NUL or a lone surrogate.
  each.replaceAll('\0', '').toWellFormed(),
);
const entry = fc.record({
  id: fc.maxSafeInteger(),
  name: text,
  note: fc.option(text),
  done: fc.boolean(),
  at: fc.date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true }),
});

it('JsonRows writes the same JSON as JSON.stringify for any row', () => {
  const rows = new JsonRows();
  fc.assert(
    fc.property(fc.array(entry, { maxLength: 5 }), (entries) => {
      for (const { id, name, note, done, at } of entries) {
        const row = sent([String(id), name, note, done ? 't' : 'f', printed(at), '7']);
        rows.add(fields, row, 6, row.length);
        expect(numberAt(row, columnAt(row, 6, fields.length))).toBe(7);
      }
      const json = Buffer.from(rows.takeJson(), 'latin1').toString();
      expect(JSON.parse(json)).toEqual(entries.map(({ at, ...rest }) => ({ ...rest, at: at.toISOString() })));
    }),
  );
});

it('JsonRows writes a page that exceeds its buffer completely', () => {
  const rows = new JsonRows();
  const name = '课堂"发言"\n'.repeat(2_000);
  for (let id = 1; id <= 50; id++) {
    const row = sent([String(id), name, null, 't', '2026-09-01 08:00:00+00', '50']);
    rows.add(fields, row, 6, row.length);
  }
  const list = JSON.parse(Buffer.from(rows.takeJson(), 'latin1').toString());
  expect(list).toHaveLength(50);
  expect(list[49]).toEqual({ id: 50, name, note: null, done: true, at: '2026-09-01T08:00:00.000Z' });
  expect(rows.takeJson()).toBe('[]');
});

it('JsonRows rejects a schema with unsupported types and names the field', () => {
  expect(() => fieldsOf(Type.Object({ some: Type.Array(Type.String()) }))).toThrow('some');
  expect(() => fieldsOf(Type.Object({ some: Type.Unsafe({ type: ['string', 'integer'] }) }))).toThrow('some');
});
