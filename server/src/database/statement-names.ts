import { createHash } from 'node:crypto';

/** A statement is worth keeping on every connection once it has come this often. */
const namedAfterUses = 20;
/** Each connection keeps a plan of every named statement, some 80 kB each. */
const namedStatementsMax = 100;
/** Texts that are counted at the same time; past that, counting begins anew. */
const countedTextsMax = 2_000;

/**
 * Names for the statements that come often on the connections to one database, so that each connection parses and plans
 * them once. A name is made from the text of its statement, so that it can stand for no other.
 */
export class StatementNames {
  readonly #usesByText = new Map<string, number>();
  readonly #namesByText = new Map<string, string>();

  /** The name of a statement, or undefined while it has not come often. */
  of(text: string): string | undefined {
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
