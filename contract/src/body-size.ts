import type { TObject, TSchema } from 'typebox';
import { limits } from './limits.ts';
import { type BodySchema, hasForms } from './operation.ts';

interface Sized extends TSchema {
  readonly type?: string | readonly string[];
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly items?: Sized;
  readonly 'x-entry'?: TObject;
}

/** A character outside the basic plane, escaped: two times a backslash, `u` and four digits. */
const bytesOfCharacter = 12;
/** A number, a flag, a word of an enumeration; of text without a bound, no one writes more by hand. */
const bytesOfOther = 100;

/** The most bytes that an honest body takes, every character escaped, without the white space between its parts. */
function largest(schema: Sized): number {
  const entry = schema['x-entry'] ?? schema.items;
  if (entry) return (schema.maxItems ?? Number.POSITIVE_INFINITY) * (1 + largest(entry as Sized));
  const { properties } = schema as { properties?: Record<string, Sized> };
  if (!properties) return bytesOfOther + (schema.maxLength ?? 0) * bytesOfCharacter;
  const fields = Object.entries(properties);
  return fields.reduce((sum, [name, field]) => sum + name.length + 4 + largest(field), 2);
}

/**
 * How large a body an internal operation takes, in bytes: 64 KiB where no honest body comes near it, 1 MiB elsewhere.
 * The external API takes 1 MiB everywhere.
 */
export function bodyBytesMax(body: BodySchema | undefined): number {
  const forms = body === undefined ? [] : hasForms(body) ? Object.values(body.forms) : [body];
  const most = Math.max(0, ...forms.map((form) => largest(form as Sized)));
  return most <= limits.smallBodyBytesMax * 0.75 ? limits.smallBodyBytesMax : limits.bodyBytesMax;
}
