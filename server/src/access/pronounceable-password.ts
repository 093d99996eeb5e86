import { randomInt } from 'node:crypto';

/** No l, which is read for 1 and I, no q for g, and none that are spoken like another one, as c, x and y are. */
const consonants = 'bdfghjkmnprstvwz';
const vowels = 'aeiou';
/** No 0 and 1, so that every o and i is a letter. */
const digits = '23456789';

/** What no slip shall say, in English or read as pinyin without tones. */
const rude =
  /anus|baka|dag[eo]|dasi|dik|fag|fat|fuk|gani|guk|gun|hate|hitu|homo|jap|jiba|jinu|jiz|kaka|kik|kok|kuk|kum|mabi|nazi|nibi|nig|nima|nip|nisi|nude|paki|pedo|peni|pigu|pipi|pis|popo|pub|puk|pupu|pus|puta|rape|rini|sabi|sata|seme|sima|suka|tama|tit|vagi|vomi|wog|wori/;

const one = (of: string) => of[randomInt(of.length)];

/**
 * A first password that a young pupil can read off a slip, say and type: four syllables of a consonant and a vowel, and
 * two digits, such as `bomasefi47`. Some 31 bits: enough for what is guessed at a throttled sign-in, ends unused, and
 * is changed at the first sign-in (docs/security.md, Accounts). Administrators have longer ones.
 */
export function pronounceablePassword(): string {
  for (;;) {
    const letters = Array.from({ length: 4 }, () => `${one(consonants)}${one(vowels)}`).join('');
    if (!rude.test(letters)) return `${letters}${one(digits)}${one(digits)}`;
  }
}
