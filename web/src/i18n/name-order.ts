import type { ListedStudent } from '@classledger/contract';

/** Surnames that sorting by pinyin misreads, each followed by a character with the right reading. */
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

/** Compares names in the same way in both languages: by pinyin, with the reading of surnames (曾 is Zēng). */
export function compareNames(one: string, other: string): number {
  return pinyin.compare(sortableName(one), sortableName(other));
}

function sortableName(name: string): string {
  const reading = readings.get(name.slice(0, 2)) ?? readings.get(name.slice(0, 1));
  return reading === undefined ? name : reading + name.slice(1);
}

type Named = Pick<ListedStudent, 'actualName' | 'username'>;

export function byName(one: Named, other: Named): number {
  return compareNames(one.actualName, other.actualName) || pinyin.compare(one.username, other.username);
}
