/**
 * Surnames that are read otherwise than the browser's order reads their first character, each before a character that is
 * read like the surname and is none itself, so that no two surnames mix. Surnames of one character, then of two.
 */
const surnames = `
曾增 单膳 單膳 仇球 解械 查渣 盖舸 蓋舸 区鸥 區鸥 任壬 华画 華画 朴瓢 缪妙 繆妙 覃禽 翟宅 乐越 樂越 秘闭 种虫 繁婆 折蛇 召哨
员孕 員孕 祭债 洗险 薄驳 句沟 燕淹 要腰 於迂 都督 乜镍 相象 能耐 肖消 六录 干肝
尉迟狱 尉遲狱 万俟末 萬俟末 澹台潭 澹臺潭 拓跋唾 夹谷颊`;

const readings: ReadonlyMap<string, string> = new Map(
  surnames
    .trim()
    .split(/\s+/)
    .map((entry) => [entry.slice(0, -1), entry.slice(-1)]),
);

const pinyin = new Intl.Collator('zh-u-co-pinyin', { numeric: true });

/**
 * The order of people's names, the same in both languages: Chinese ones as they are spoken, their surnames read as
 * surnames (曾 is Zēng), then others by the alphabet.
 */
export function compareNames(one: string, other: string): number {
  return pinyin.compare(asRead(one), asRead(other));
}

/** A name whose surname stands where it is spoken. */
function asRead(name: string): string {
  const reading = readings.get(name.slice(0, 2)) ?? readings.get(name.slice(0, 1));
  return reading === undefined ? name : reading + name.slice(1);
}

/** Orders people by name; of two with the same one, by username. */
export function byName(
  one: { readonly actualName: string; readonly username: string },
  other: { readonly actualName: string; readonly username: string },
): number {
  return compareNames(one.actualName, other.actualName) || pinyin.compare(one.username, other.username);
}
