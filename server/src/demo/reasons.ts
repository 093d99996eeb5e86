import type { Random } from './random.ts';

export interface Reason {
  readonly change: number;
  readonly description: string;
}

const catalogue: readonly { readonly change: number; readonly weight: number; readonly texts: string }[] = [
  {
    change: 1,
    weight: 46,
    texts:
      '课堂发言积极|作业按时上交|值日认真|主动帮助同学|坐姿端正|Homework on time|Good question in class|Helped a classmate',
  },
  {
    change: 2,
    weight: 21,
    texts: '作业优秀|单词听写全对|小组合作出色|Excellent homework|Full marks in dictation',
  },
  { change: 3, weight: 7, texts: '单元测验进步明显|黑板报获好评|Great progress in the unit test' },
  { change: 4, weight: 2, texts: '组织班级活动|升旗仪式发言|Led the class activity' },
  { change: 5, weight: 2, texts: '运动会获奖|学科竞赛获奖|Prize at the science fair' },
  { change: -1, weight: 13, texts: '迟到|作业未交|上课讲话|Late for class|Homework missing' },
  { change: -2, weight: 6, texts: '课间打闹|早操缺勤|Phone used in class' },
  { change: -3, weight: 2, texts: '扰乱课堂秩序|Disturbed the lesson' },
  { change: -4, weight: 0.6, texts: '损坏公物|Damaged school property' },
  { change: -5, weight: 0.4, texts: '测验作弊|Copied in a test' },
];

export const reasons: readonly Reason[] = catalogue.flatMap(({ change, texts }) =>
  texts.split('|').map((description) => ({ change, description })),
);

/** Cumulative share of each reason among those of its sign; ends at 1. */
const shares = new Map([1, -1].map((sign) => [sign, sharesOf(sign)]));

function sharesOf(sign: number) {
  const ofSign = catalogue.filter(({ change }) => Math.sign(change) === sign);
  const all = ofSign.reduce((sum, { weight }) => sum + weight, 0);
  let reached = 0;
  return ofSign.flatMap(({ change, weight, texts }) =>
    texts.split('|').map((description, _, { length }) => {
      reached += weight / length / all;
      return {
        upTo: reached,
        number: reasons.findIndex((it) => it.change === change && it.description === description),
      };
    }),
  );
}

export function drawReason(random: Random, isPlus: boolean): number {
  const choices = shares.get(isPlus ? 1 : -1) as { upTo: number; number: number }[];
  const drawn = random.next();
  return (choices.find(({ upTo }) => drawn < upTo) ?? (choices.at(-1) as { number: number })).number;
}

export const schoolTemplates: readonly (Reason & { readonly name: string })[] = [
  { name: '按时交作业', change: 1, description: '作业按时上交' },
  { name: '课堂发言', change: 1, description: '课堂发言积极' },
  { name: '作业优秀', change: 2, description: '作业优秀' },
  { name: '竞赛获奖', change: 5, description: '学科竞赛获奖' },
  { name: '迟到', change: -1, description: '迟到' },
  { name: 'Homework missing', change: -1, description: 'Homework missing' },
  { name: 'Helped a classmate', change: 1, description: 'Helped a classmate' },
  { name: 'Phone in class', change: -2, description: 'Phone used in class' },
];

export const classTemplates: readonly (Reason & { readonly name: string })[] = [
  { name: '值日之星', change: 2, description: '值日认真' },
  { name: '听写全对', change: 2, description: '单词听写全对' },
  { name: '小组第一', change: 3, description: '小组合作出色' },
  { name: 'Reading corner', change: 1, description: 'Looked after the reading corner' },
  { name: 'Team captain', change: 4, description: 'Led the class activity' },
  { name: '早读缺席', change: -2, description: '早读缺席' },
];
