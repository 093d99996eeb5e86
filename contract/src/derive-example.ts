import type { TObject, TSchema } from 'typebox';
import { type BodySchema, hasForms } from './operation.ts';

interface Keywords {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly examples?: readonly unknown[];
  readonly anyOf?: readonly TSchema[];
  readonly properties?: Readonly<Record<string, TSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean;
  readonly items?: TSchema;
  readonly 'x-entry'?: TSchema;
  readonly minimum?: number;
  readonly maximum?: number;
}

/** Returns a value that the schema accepts. A text with a pattern or a minimum length must have `examples`. */
export function deriveExample(schema: TSchema): unknown {
  const keywords: Keywords = schema;
  if (keywords.examples) return keywords.examples[0];
  if (keywords.enum) return keywords.enum[0];
  if (keywords.anyOf?.[0]) return deriveExample(keywords.anyOf[0]);
  if (keywords.properties) return deriveFields(keywords);
  const entry = keywords.items ?? keywords['x-entry'];
  if (entry) return [deriveExample(entry)];
  switch ([keywords.type].flat()[0]) {
    case 'integer':
    case 'number':
      return Math.min(Math.max(1, keywords.minimum ?? 1), keywords.maximum ?? Infinity);
    case 'boolean':
      return false;
    case 'string':
      return 'text';
    default:
      return null;
  }
}

/** Returns all fields of an answer; of an input the required fields, or else its first field. */
function deriveFields({ properties = {}, required = [], additionalProperties }: Keywords) {
  const isInput = additionalProperties === false;
  const fields = Object.entries(properties).filter(
    ([name], index) => !isInput || (required.length > 0 ? required.includes(name) : index === 0),
  );
  return Object.fromEntries(fields.map(([name, field]) => [name, deriveExample(field)]));
}

/** Returns an example of each form of a body, by the name of the form. */
export function deriveBodyExamples(body: BodySchema): Readonly<Record<string, object>> {
  const forms: Readonly<Record<string, TObject>> = hasForms(body) ? body.forms : { example: body };
  return Object.fromEntries(Object.entries(forms).map(([name, form]) => [name, deriveFields(form)]));
}
