import type { TObject, TSchema } from 'typebox';
import { limits } from './limits.ts';
import { type BodySchema, hasForms } from './operation.ts';

interface SizedSchema extends TSchema {
  readonly type?: string | readonly string[];
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly items?: SizedSchema;
  readonly 'x-entry'?: TObject;
}

/** JSON may escape one emoji as two sequences of six bytes each, such as `\ud83d\ude00`. */
const bytesOfCharacter = 12;
/** An allowance for a number, a boolean or an enumeration value; also for the overhead of a text. */
const bytesOfOther = 100;

/** Returns the bytes of the largest plausible body, with escaped characters and without white space between tokens. */
function largestBytes(schema: SizedSchema): number {
  const entry = schema['x-entry'] ?? schema.items;
  if (entry) return (schema.maxItems ?? Number.POSITIVE_INFINITY) * (1 + largestBytes(entry as SizedSchema));
  const { properties } = schema as { properties?: Record<string, SizedSchema> };
  if (!properties) return bytesOfOther + (schema.maxLength ?? 0) * bytesOfCharacter;
  const fields = Object.entries(properties);
  return fields.reduce((sum, [name, field]) => sum + name.length + 4 + largestBytes(field), 2);
}

/** Returns the limit of a body in bytes: 64 KiB if plausible bodies are smaller, 4 MiB for imports, else 1 MiB. */
export function bodyBytesMax(body: BodySchema | undefined): number {
  const forms = body === undefined ? [] : hasForms(body) ? Object.values(body.forms) : [body];
  const most = Math.max(0, ...forms.map((form) => largestBytes(form as SizedSchema)));
  if (most > limits.importBytesMax) return limits.importBytesMax;
  return most <= limits.smallBodyBytesMax * 0.75 ? limits.smallBodyBytesMax : limits.bodyBytesMax;
}
