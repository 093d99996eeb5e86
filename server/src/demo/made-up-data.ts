/** Returns numbers from 0 to below 1. */
type Random = () => number;

/** Draws the same numbers for the same seed (mulberry32), so that each demonstration shows the same school. */
export function seededRandom(seed: number): Random {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export const pickRandom = <T>(random: Random, list: readonly T[]): T =>
  list[Math.floor(random() * list.length)] as T;

export const schoolName = '江畔双语学校 Riverside Bilingual School';

export const gradeNames =
  '初一 Grade 7|初二 Grade 8|初三 Grade 9|高一 Grade 10|高二 Grade 11|高三 Grade 12'.split('|');

/** `|` separates the texts. */
const weightedReasons = [
  { points: 1, weight: 30, texts: '课堂发言积极|作业按时上交|主动帮助同学|坐姿端正|值日认真' },
  { points: 1, weight: 16, texts: 'Helped a classmate|Good question in class|Homework on time' },
  {
    points: 2,
    weight: 21,
    texts: '作业优秀|单词听写全对|小组合作出色|Excellent homework|Full marks in dictation',
  },
  { points: 3, weight: 7, texts: 'Great progress in the unit test|单元测验进步明显|黑板报获好评' },
  { points: 4, weight: 2, texts: '组织班级活动|升旗仪式发言|Led the class activity' },
  { points: 5, weight: 2, texts: '学科竞赛获奖|运动会获奖|Prize at the science fair' },
  { points: -1, weight: 65, texts: '迟到|上课讲话|Late for class|Homework missing|作业未交' },
  { points: -2, weight: 30, texts: 'Phone used in class|课间打闹|早操缺勤' },
  { points: -3, weight: 10, texts: '扰乱课堂秩序|Disturbed the lesson' },
  { points: -4, weight: 3, texts: '损坏公物|Damaged school property' },
  { points: -5, weight: 2, texts: '测验作弊|Copied in a test' },
];

/** Reasons of templates and records. The weight is the share among the records with the same sign. */
export const reasons = weightedReasons.map((reason) => ({ ...reason, texts: reason.texts.split('|') }));

export const announcements = [
  {
    title: '欢迎使用 Classledger · Welcome',
    content:
      '<p>本学期的积分从今天开始。 <strong>Every point is a line in the ledger</strong>, and every total follows from it.</p>',
    type: 'success' as const,
    daysAgo: 120,
  },
  {
    title: '周六晚间维护 · Maintenance on Saturday evening',
    content:
      '<p>The service pauses on <em>Saturday from 22:00 to 22:30</em>.</p><ul><li>Points can be given before and after.</li><li>Nothing that was given is lost.</li></ul>',
    type: 'warning' as const,
    daysAgo: 2,
  },
];

export const application = {
  school_name: '滨江实验小学 Binjiang Primary School',
  applicant_name: '陈静',
  contact_phone: '+86 571 5555 0142',
  reason: 'Twelve classes would like to keep their points together from next term on.',
};

const namesIn = (text: string) => text.split(/[|\n]/);

/** Family names with their pinyin, common ones first. */
const familyNames =
  namesIn(`王 wang|李 li|张 zhang|刘 liu|陈 chen|杨 yang|黄 huang|赵 zhao|吴 wu|周 zhou|徐 xu|孙 sun|马 ma
胡 hu|郭 guo|何 he|高 gao|林 lin|罗 luo|郑 zheng|梁 liang|谢 xie|宋 song|唐 tang|许 xu|韩 han|冯 feng|邓 deng|曹 cao|朱 zhu
彭 peng|曾 zeng|肖 xiao|田 tian|董 dong|袁 yuan|潘 pan|于 yu|蒋 jiang|蔡 cai|余 yu|杜 du|叶 ye|程 cheng|苏 su|魏 wei
欧阳 ouyang|司徒 situ`);

const givenNames =
  namesIn(`伟 wei|芳 fang|静 jing|磊 lei|洋 yang|婷 ting|宇 yu|琳 lin|涛 tao|悦 yue|昊 hao|欣 xin|晨 chen
子涵 zihan|雨桐 yutong|浩然 haoran|思远 siyuan|梓萱 zixuan|俊杰 junjie|诗涵 shihan|宇轩 yuxuan|欣怡 xinyi|天佑 tianyou
一诺 yinuo|子墨 zimo|佳琪 jiaqi|明轩 mingxuan|可馨 kexin|奕辰 yichen|若曦 ruoxi|博文 bowen|晓彤 xiaotong|志强 zhiqiang`);

const firstNames =
  namesIn(`Anna|Ben|Clara|Daniel|Emma|Felix|Grace|Henry|Isabel|Jack|Katya|Leo|Maria|Noah|Olivia|Paul
Quinn|Rosa|Samuel|Tessa|Victor|Wendy|Yusuf|Zoe|Amélie|Björn|Chloé|Diego|Elif|Finn|Giulia|Hana|Júlia|Kofi|Lucía|Mateo`);

const lastNames =
  namesIn(`Keller|Smith|García|Müller|Rossi|Novak|Silva|Dubois|Jensen|Kowalski|Park|Tanaka|Nguyen|Haddad
Okafor|Lindqvist|Martin|Brown|O'Connor|Petrov|Fischer|Costa|Moreau|Andersen|Yilmaz|Sato|Kim|Patel|Cohen|Evans|Weber`);

const chineseShare = 0.72;

/** Returns a function that makes up people. Equal names get usernames with different numbers, as in a school office. */
export function inventPeople(random: Random): () => { actualName: string; username: string } {
  const taken = new Map<string, number>();
  const withFreeUsername = (actualName: string, wanted: string) => {
    const count = (taken.get(wanted) ?? 0) + 1;
    taken.set(wanted, count);
    return { actualName, username: count === 1 ? wanted : `${wanted}${count}` };
  };
  return () => {
    if (random() > chineseShare) {
      const [first, last] = [pickRandom(random, firstNames), pickRandom(random, lastNames)];
      return withFreeUsername(`${first} ${last}`, `${toUsernamePart(first)}.${toUsernamePart(last)}`);
    }
    // The power makes the common names at the beginning more likely.
    const family = pickRandom(() => random() ** 1.6, familyNames).split(' ');
    const given = pickRandom(random, givenNames).split(' ');
    return withFreeUsername(`${family[0]}${given[0]}`, `${family[1]}.${given[1]}`);
  };
}

const toUsernamePart = (name: string) =>
  name
    .normalize('NFD')
    .toLowerCase()
    .replace(/[^a-z]/g, '');
