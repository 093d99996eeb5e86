import { randomInt } from 'node:crypto';

/** Leaves out l (looks like 1 and I), q (like g), and c, x and y, which sound like others. */
const consonants = 'bdfghjkmnprstvwz';
const vowels = 'aeiou';
/** Leaves out 0 and 1, so that every o and i is a letter. */
const digits = '23456789';

/** Parts that are rude in English or as pinyin without tones. */
const rude =
  /anus|baka|dag[eo]|dasi|dik|fag|fat|fuk|gani|guk|gun|hate|hitu|homo|jap|jiba|jinu|jiz|kaka|kik|kok|kuk|kum|mabi|nazi|nibi|nig|nima|nip|nisi|nude|paki|pedo|peni|pigu|pipi|pis|popo|pub|puk|pupu|pus|puta|rape|rini|sabi|sata|seme|sima|suka|tama|tit|vagi|vomi|wog|wori/;

const pickOne = (of: string) => of[randomInt(of.length)];

/** Generates a password that young students can read and type, such as `bomasefi47` (docs/security.md, Accounts). */
export function pronounceablePassword(): string {
  for (;;) {
    const letters = Array.from({ length: 4 }, () => `${pickOne(consonants)}${pickOne(vowels)}`).join('');
    if (!rude.test(letters)) return `${letters}${pickOne(digits)}${pickOne(digits)}`;
  }
}
