import type { Random } from './random.ts';

/** Family names with their pinyin, common ones first. */
const familyNames = `王 wang|李 li|张 zhang|刘 liu|陈 chen|杨 yang|黄 huang|赵 zhao|吴 wu|周 zhou|徐 xu|孙 sun|马 ma|朱 zhu
|胡 hu|郭 guo|何 he|高 gao|林 lin|罗 luo|郑 zheng|梁 liang|谢 xie|宋 song|唐 tang|许 xu|韩 han|冯 feng|邓 deng|曹 cao
|彭 peng|曾 zeng|肖 xiao|田 tian|董 dong|袁 yuan|潘 pan|于 yu|蒋 jiang|蔡 cai|余 yu|杜 du|叶 ye|程 cheng|苏 su|魏 wei
|欧阳 ouyang|司徒 situ`;

const givenNames = `伟 wei|芳 fang|静 jing|磊 lei|洋 yang|婷 ting|宇 yu|琳 lin|涛 tao|悦 yue|昊 hao|欣 xin|晨 chen|睿 rui
|子涵 zihan|雨桐 yutong|浩然 haoran|思远 siyuan|梓萱 zixuan|俊杰 junjie|诗涵 shihan|宇轩 yuxuan|欣怡 xinyi|天佑 tianyou
|一诺 yinuo|子墨 zimo|佳琪 jiaqi|明轩 mingxuan|可馨 kexin|奕辰 yichen|若曦 ruoxi|博文 bowen|晓彤 xiaotong|志强 zhiqiang
|雅婷 yating|文博 wenbo|梦瑶 mengyao|家豪 jiahao|语嫣 yuyan|泽宇 zeyu|心怡 xinyi|嘉懿 jiayi|煜城 yucheng|楚涵 chuhan
|承恩 chengen|安琪 anqi|乐天 letian|清妍 qingyan|皓轩 haoxuan|诗琪 shiqi|建国 jianguo|晓东 xiaodong|思琪 siqi|子豪 zihao`;

const firstNames =
  `Anna Ben Clara Daniel Emma Felix Grace Henry Isabel Jack Katya Leo Maria Noah Olivia Paul Quinn Rosa
Samuel Tessa Victor Wendy Yusuf Zoe Amélie Björn Chloé Diego Elif Finn Giulia Hana Ivan Júlia Kofi Lucía Mateo Nadia
Oscar Priya`.split(/\s+/);

const lastNames =
  `Keller Smith García Müller Rossi Novak Silva Dubois Jensen Kowalski Park Tanaka Nguyen Haddad Okafor
Lindqvist Martin Brown O'Connor Petrov Fischer Costa Moreau Andersen Yilmaz Sato Kim Patel Cohen Evans Weber Lopez
Horvath Bianchi Larsen Murphy Ivanova Schmidt Reyes Wright`.split(/\s+/);

const pairs = (text: string) =>
  text.split('|').map((entry) => entry.trim().split(' ') as [written: string, pinyin: string]);
const family = pairs(familyNames);
const given = pairs(givenNames);

const chineseShare = 0.72;

export interface Person {
  readonly actualName: string;
  readonly username: string;
}

/** Makes up people. Equal names get usernames with different numbers, as a school office would do it. */
export class People {
  readonly #random: Random;
  readonly #taken = new Map<string, number>();

  constructor(random: Random) {
    this.#random = random;
  }

  next(): Person {
    const random = this.#random;
    if (random.chance(chineseShare)) {
      // Draws from the front of the list more often, because some names are common.
      const [familyName, familyPinyin] = family[Math.floor(random.next() ** 1.6 * family.length)] as [
        string,
        string,
      ];
      const [givenName, givenPinyin] = random.pick(given);
      return {
        actualName: familyName + givenName,
        username: this.#freeUsername(`${familyPinyin}.${givenPinyin}`),
      };
    }
    const first = random.pick(firstNames);
    const last = random.pick(lastNames);
    return {
      actualName: `${first} ${last}`,
      username: this.#freeUsername(`${toUsernamePart(first)}.${toUsernamePart(last)}`),
    };
  }

  #freeUsername(wanted: string): string {
    const count = (this.#taken.get(wanted) ?? 0) + 1;
    this.#taken.set(wanted, count);
    return count === 1 ? wanted : `${wanted}${count}`;
  }
}

function toUsernamePart(name: string): string {
  return name
    .normalize('NFD')
    .toLowerCase()
    .replace(/[^a-z]/g, '');
}
