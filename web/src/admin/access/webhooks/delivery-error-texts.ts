import type { DeliveryError } from '@classledger/contract';
import { defineTexts, type Entry } from '../../../i18n/texts.ts';

export const deliveryErrorTexts = defineTexts({
  'The address is one that this server does not call': [
    'This server is not allowed to call that address.',
    '本服务器不允许访问该地址。',
  ],
  'No answer within 10 seconds': ['No answer within 10 seconds.', '10 秒内没有响应。'],
  'Cut off when the server stopped': ['Interrupted because this server stopped.', '服务器停止，发送中断。'],
  'The host is not known': ['The host was not found.', '找不到该主机。'],
  'The connection was refused': ['The connection was refused.', '连接被拒绝。'],
  'The certificate or the encryption of the receiver is not accepted': [
    'The app’s certificate or encryption was not accepted.',
    '应用的证书或加密方式不符合要求。',
  ],
  'The connection broke': ['The connection was interrupted.', '连接中断。'],
} satisfies Record<DeliveryError, Entry>);
