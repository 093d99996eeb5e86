import { pickRandom, type Random } from './random.ts';

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
