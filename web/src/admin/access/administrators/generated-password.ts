/** Letters and digits that cannot be taken for each other when they are read out. */
const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789';

/** A password to tell someone: twelve characters, about 59 bits. */
export function generatedPassword(): string {
  const made: string[] = [];
  while (made.length < 12) {
    for (const byte of crypto.getRandomValues(new Uint8Array(16))) {
      // Bytes above the last whole multiple would make the first letters likelier.
      const letter = byte < 248 ? alphabet[byte % alphabet.length] : undefined;
      if (letter !== undefined && made.length < 12) made.push(letter);
    }
  }
  return made.join('');
}
