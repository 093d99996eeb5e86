import { defineTexts } from '../../../i18n/texts.ts';

export const texts = defineTexts({
  en: {
    stoppedTitle_one: '{{count, number}} webhook was stopped',
    stoppedTitle_other: '{{count, number}} webhooks were stopped',
    stoppedText: 'These apps are no longer notified of changes: {{names}}.',
    showWebhooks: 'Show webhooks',
  },
  zh: {
    stoppedTitle_other: '有 {{count, number}} 个 Webhook 已停止',
    stoppedText: '以下地址的应用不再收到变动通知：{{names}}。',
    showWebhooks: '查看 Webhook',
  },
});
