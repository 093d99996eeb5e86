/** What the external document says of webhooks. */
export const webhooksInChinese: Readonly<Record<string, string>> = {
  Webhooks: 'Webhook',
  'Be told of changes as they happen, signed as Standard Webhooks has it.':
    '数据一有变更就收到通知，签名遵循 Standard Webhooks。',
  'List the webhooks of the credential': '列出凭证的 Webhook',
  'Ordered by id, at most 10.': '按 id 排序，最多 10 个。',
  'Webhooks of other credentials are not shown.': '不显示其他凭证的 Webhook。',
  'Subscribe to changes; the answer shows the secret once': '订阅变更；响应中只显示一次密钥',
  'Changes from now on are sent to the address, signed as Standard Webhooks has it.':
    '此后的变更会发送到该地址，签名遵循 Standard Webhooks。',
  'At most 10 for one credential.': '每个凭证最多 10 个。',
  'Where changes are sent: an address with https, without a user name, a password or a fragment.':
    '变更发送到的地址：必须使用 https，不得包含用户名、密码或片段。',
  'It must not lead into a private network, unless the operator allows that.':
    '不得指向内部网络，除非运维人员允许。',
  'What is sent: kinds of changes such as `student.created`, or all of a type such as `student.*`.':
    '发送的内容：某种变更，例如 `student.created`；或某一类型的全部变更，例如 `student.*`。',
  'Each needs the permission to read that type.': '每种都需要读取该类型的权限。',
  'A note for people.': '供人阅读的备注。',
  'Whether changes are sent.': '是否发送变更。',
  'Those that come meanwhile are sent later.': '暂停期间的变更会在之后发送。',
  'Read one webhook': '读取一个 Webhook',
  'Id of the webhook.': 'Webhook 的 id。',
  'Change a webhook, pause it or let it go on': '修改、暂停或恢复 Webhook',
  '`active: true` also goes on after the server has stopped sending: what is waiting is sent at once.':
    '服务器停止发送后，`active: true` 也会恢复：等待中的内容立即发送。',
  Pause: '暂停',
  'Delete a webhook': '删除 Webhook',
  'What is waiting is not sent any more.': '等待中的内容不再发送。',
  'Where changes were sent.': '变更曾发送到的地址。',
  'Send a test to the receiver and tell what it answered': '向接收方发送测试并返回其响应',
  'Sends `{ "type": "webhook.test", ... }` once, signed like every delivery.':
    '发送一次 `{ "type": "webhook.test", ... }`，签名方式与每次发送相同。',
  'It is sent to a paused webhook too, and is not repeated.': '对已暂停的 Webhook 也会发送，且不会重试。',
  'Whether the receiver took it: whether it answered 2xx in time.': '接收方是否接收：是否及时返回 2xx。',
  'What the receiver answered; null where it did not.': '接收方返回的状态码；没有返回时为 null。',
  'How long it took.': '耗时。',
  'Why it was not taken; null where it was.': '未被接收的原因；已接收时为 null。',
  'Make a new secret; the answer shows it once': '生成新密钥；响应中只显示一次',
  'For 24 hours deliveries are signed with the old secret too, so that the receiver can change over.':
    '24 小时内同时使用旧密钥签名，以便接收方更换。',
  'Where changes are sent.': '变更发送到的地址。',
  'What is sent.': '发送的内容。',
  'Why the server stopped sending: `failed`, nothing has been taken for three days; `gone`, the receiver answered 410; `secret`, the secret cannot be opened any more, so rotate it; `restored`, the data was restored from a backup, perhaps into a copy.':
    '服务器停止发送的原因：`failed`，三天内没有任何内容被接收；`gone`，接收方返回了 410；`secret`，密钥已无法打开，请重新生成；`restored`，数据是从备份恢复的，可能只是一份副本。',
  'Null while it has not.': '未停止时为 null。',
  '`active: true` goes on.': '`active: true` 可恢复。',
  'When the first of the attempts failed that have all failed since.': '持续失败中的第一次失败的时间。',
  'Until then nothing is sent, because the last attempts failed.': '最近几次发送失败，在此时间之前不再发送。',
  'When something was last taken.': '最近一次被接收的时间。',
  'When changes were last passed over that could not be told any more: read the lists again then.':
    '最近一次跳过无法再发送的变更的时间：此时请重新读取各列表。',
  'When url, events or description last changed.': 'url、events 或 description 最近修改的时间。',
  'What deliveries are signed with, `whsec_` and base64, as Standard Webhooks has it.':
    '用于签名的密钥，由 `whsec_` 和 base64 组成，遵循 Standard Webhooks。',
  'It is shown this once.': '仅显示这一次。',
};
