import { createHash } from 'node:crypto';

/** A statement gets a name at this number of uses. */
const namedAfterUses = 20;
/** Each connection keeps a plan of about 80 kB per named statement. */
const namedStatementsMax = 100;
/** At this number of counted texts, all counts start again. */
const countedTextsMax = 2_000;

/** Assigns names to frequent statements, so that each connection parses and plans them once. */
export class StatementNames {
  readonly #usesByText = new Map<string, number>();
  readonly #namesByText = new Map<string, string>();

  /** Returns undefined while the statement is not frequent, or when all names are in use. */
  nameOf(text: string): string | undefined {
    const known = this.#namesByText.get(text);
    if (known !== undefined || this.#namesByText.size >= namedStatementsMax) return known;
    const uses = (this.#usesByText.get(text) ?? 0) + 1;
    if (uses < namedAfterUses) {
      if (this.#usesByText.size >= countedTextsMax) this.#usesByText.clear();
      this.#usesByText.set(text, uses);
      return undefined;
    }
    this.#usesByText.delete(text);
    const name = createHash('sha1').update(text).digest('base64url');
    this.#namesByText.set(text, name);
    return name;
  }
}
