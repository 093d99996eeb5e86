import { invalidValue } from '../app-error.ts';

/** Five times what the largest bulk request is made of. */
const valuesMax = 10_000;
/** Bodies are objects that hold lists of objects. */
const depthMax = 20;

const quote = 0x22;
const backslash = 0x5c;

/**
 * Looks over JSON before it is parsed, in one pass over its bytes: what is made of very many parts or nested deep costs
 * far more to parse and to check than to send. Text that is no JSON passes; the parser finds that out.
 *
 * @throws AppError invalid_value
 */
export function assertModestJson(bytes: Buffer): void {
  let values = 1;
  let depth = 0;
  for (let i = 0; i < bytes.length; i++) {
    switch (bytes[i]) {
      case quote:
        for (i++; i < bytes.length && bytes[i] !== quote; i++) if (bytes[i] === backslash) i++;
        break;
      case 0x2c: // ,
        values++;
        break;
      case 0x5b: // [
      case 0x7b: // {
        values++;
        if (++depth > depthMax) throw invalidValue(`The body is nested deeper than ${depthMax} levels`);
        break;
      case 0x5d: // ]
      case 0x7d: // }
        depth--;
        break;
    }
  }
  if (values > valuesMax) throw invalidValue(`The body holds more than ${valuesMax} values`);
}
