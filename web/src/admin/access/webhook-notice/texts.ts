import { defineTexts } from '../../../i18n/texts.ts';

export const texts = defineTexts({
  stoppedTitle: [
    '{{count, number}} webhook was stopped',
    '{{count, number}} webhooks were stopped',
    '有 {{count, number}} 个 Webhook 已停止',
  ],
  stoppedText: [
    'These apps are no longer notified of changes: {{names}}.',
    '以下地址的应用不再收到变更通知：{{names}}。',
  ],
  showWebhooks: ['Show webhooks', '查看 Webhook'],
});
