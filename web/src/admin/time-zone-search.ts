/** Cities that browsers do not name: for New York they know 纽约, but for Shanghai only 中国. */
const cities: Readonly<Record<string, string>> = {
  'Asia/Shanghai': 'Beijing 北京 上海 天津 重庆 广州 深圳 成都 武汉 西安 南京 杭州 哈尔滨 沈阳',
  'Asia/Urumqi': '新疆 喀什',
  'Asia/Taipei': '台北 臺北 高雄',
  'Asia/Macau': 'Macao 澳门 澳門',
  'Asia/Singapore': '新加坡 星加坡',
  'Asia/Kuala_Lumpur': '吉隆坡 槟城',
  'Asia/Bangkok': '曼谷',
  'Asia/Jakarta': '雅加达',
  'Asia/Manila': '马尼拉',
  'Asia/Ho_Chi_Minh': '胡志明市 河内',
  'Asia/Tokyo': '东京 大阪',
  'Asia/Seoul': '首尔',
  'Europe/London': '伦敦',
  'Europe/Paris': '巴黎',
};

const known = new Map<string, string>();

/** Returns words to search in addition to the label: the zone's place in the user's language, and its cities. */
function wordsOf(timeZone: string, language: string): string {
  const key = `${language} ${timeZone}`;
  const before = known.get(key);
  if (before !== undefined) return before;
  const words = plain(`${placeNameOf(timeZone, language)} ${cities[timeZone] ?? ''}`);
  known.set(key, words);
  return words;
}

function placeNameOf(timeZone: string, language: string): string {
  try {
    const format = new Intl.DateTimeFormat(language, { timeZone, timeZoneName: 'shortGeneric' });
    return format.formatToParts().find(({ type }) => type === 'timeZoneName')?.value ?? '';
  } catch {
    // The browser does not know this time zone, or this form of its name.
    return '';
  }
}

const plain = (text: string) =>
  text
    .replaceAll(/[_\s]+/g, ' ')
    .trim()
    .toLowerCase();

/** Returns whether a time zone matches the search. Treats `_` as a space. */
export function isTimeZoneFound(
  { value, label }: { readonly value: string; readonly label: string },
  search: string,
  language: string,
): boolean {
  const wanted = plain(search);
  return plain(label).includes(wanted) || wordsOf(value, language).includes(wanted);
}
