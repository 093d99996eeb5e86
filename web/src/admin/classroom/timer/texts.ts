import { defineTexts } from '../../../i18n/texts.ts';

export const texts = defineTexts({
  timer: ['Timer', '计时器'],
  mode: ['Timer mode', '计时方式'],
  countdown: ['Countdown', '倒计时'],
  stopwatch: ['Stopwatch', '秒表'],
  start: ['Start', '开始'],
  pause: ['Pause', '暂停'],
  reset: ['Reset', '重置'],
  longer: ['Add one minute', '加一分钟'],
  shorter: ['Remove one minute', '减一分钟'],
  minutes: ['{{count, number}} min', '{{count, number}} min', '{{count, number}} 分钟'],
  large: ['Fill the screen', '全屏显示'],
  small: ['Make smaller', '缩小'],
  over: ['Time is up', '时间到'],
});
