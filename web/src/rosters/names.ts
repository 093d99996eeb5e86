/** Stands for a missing part of a name, because OneRoster requires both parts. */
const noPart = '-';
const chinese = /^[一-鿿]{2,4}$/;
const otherChinese = /^[一-鿿 ]+$/;
const isChinese = (text: string) => /^[一-鿿]+$/.test(text);

interface NameParts {
  readonly givenName: string;
  readonly middleName?: string;
  readonly familyName: string;
}

/** Splits a name as the server's roster API does (docs/oneroster.md, Names), so that `joinName` restores it. */
export function splitName(name: string): NameParts {
  const [first = '', ...others] = name;
  if (chinese.test(name)) return { givenName: others.join(''), familyName: first };
  const last = name.lastIndexOf(' ');
  if (last < 1 || last === name.length - 1 || otherChinese.test(name)) {
    return { givenName: name, familyName: noPart };
  }
  return { givenName: name.slice(0, last), familyName: name.slice(last + 1) };
}

/** Joins a name as Classledger stores it: Chinese names begin with the family name and contain no space. */
export function joinName({ givenName, middleName = '', familyName }: NameParts): string {
  const family = familyName === noPart ? '' : familyName;
  if (isChinese(givenName) && isChinese(family) && middleName === '') return family + givenName;
  return [givenName, middleName, family].filter((part) => part !== '').join(' ');
}
