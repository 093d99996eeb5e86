export const webhooksInChinese: Readonly<Record<string, string>> = {
  Webhooks: 'Webhook',
  'Receive changes as they happen, with signatures in the format of Standard Webhooks.':
    '数据一有变更就收到通知，签名遵循 Standard Webhooks。',
  'List the webhooks of the credential': '列出凭证的 Webhook',
  'Returns up to 10 webhooks, sorted by id.': '返回最多 10 个 Webhook，按 id 排序。',
  'Webhooks of other credentials are not shown.': '不显示其他凭证的 Webhook。',
  'Create a webhook and return its secret once': '新建 Webhook；响应中只返回一次密钥',
  'The server sends future changes to the URL, with signatures in the format of Standard Webhooks.':
    '此后的变更会发送到该地址，签名遵循 Standard Webhooks。',
  'A credential can have up to 10 webhooks.': '每个凭证最多 10 个。',
  'The https URL of the receiver, without a user name, a password or a fragment.':
    '接收方的地址：必须使用 https，不得包含用户名、密码或片段。',
  'It must not point to a private network, unless the operator allows it.':
    '不得指向内部网络，除非运维人员允许。',
  'The events to send, such as `student.created`, or all events of a type, such as `student.*`.':
    '要发送的事件，例如 `student.created`；或某一类型的全部事件，例如 `student.*`。',
  'Each event requires the permission to read its type.': '每种都需要读取该类型的权限。',
  'A note for people.': '供人阅读的备注。',
  'Whether the server sends changes.': '是否发送变更。',
  'Changes during a pause are sent later.': '暂停期间的变更会在之后发送。',
  'Read one webhook': '读取一个 Webhook',
  'Id of the webhook.': 'Webhook 的 id。',
  'Change, pause or resume a webhook': '修改、暂停或恢复 Webhook',
  '`active: true` also resumes a webhook that the server has stopped, and sends the pending changes at once.':
    '`active: true` 也会恢复被服务器停止的 Webhook，并立即发送等待中的变更。',
  Pause: '暂停',
  'Delete a webhook': '删除 Webhook',
  'Pending changes are no longer sent.': '等待中的变更不再发送。',
  'The URL of the deleted webhook.': '已删除的 Webhook 的地址。',
  'Send a test message and return the result': '发送测试消息并返回结果',
  'Sends `{ "type": "webhook.test", ... }` once, signed like every other delivery.':
    '发送一次 `{ "type": "webhook.test", ... }`，签名方式与每次发送相同。',
  'A paused webhook also receives it, and a failed test is not retried.':
    '对已暂停的 Webhook 也会发送，且不会重试。',
  'Whether the receiver returned a 2xx status in time.': '接收方是否及时返回 2xx。',
  'The status that the receiver returned, or null if there was no response.':
    '接收方返回的状态码；没有返回时为 null。',
  'Duration in milliseconds.': '耗时（毫秒）。',
  'Why the delivery failed, or null if it succeeded.': '发送失败的原因；成功时为 null。',
  'Create a new secret and return it once': '生成新密钥；响应中只返回一次',
  'For 24 hours, deliveries are also signed with the old secret, so that the receiver can switch.':
    '24 小时内同时使用旧密钥签名，以便接收方更换。',
  'The URL that receives the changes.': '接收变更的地址。',
  'The events that the server sends.': '服务器发送的事件。',
  'Why the server stopped sending, or null if it has not stopped.': '服务器停止发送的原因；未停止时为 null。',
  '`failed` means that no delivery succeeded for three days.': '`failed` 表示三天内没有一次发送成功。',
  '`gone` means that the receiver returned 410.': '`gone` 表示接收方返回了 410。',
  '`secret` means that the server can no longer decrypt the secret, so rotate it.':
    '`secret` 表示服务器已无法解密密钥，请重新生成。',
  '`restored` means that the data was restored from a backup, possibly into a copy.':
    '`restored` 表示数据是从备份恢复的，可能只是一份副本。',

  'Send `active: true` to resume.': '发送 `active: true` 可恢复。',
  'When the current series of failed attempts began.': '当前连续失败开始的时间。',
  'The server sends nothing before this time, because the last attempts failed.':
    '最近几次发送失败，在此时间之前不再发送。',
  'When a delivery last succeeded.': '最近一次发送成功的时间。',
  'When the server last skipped changes that it could no longer send.':
    '最近一次跳过已无法发送的变更的时间。',
  'Read the lists again after this time.': '在此时间之后请重新读取各列表。',
  'When url, events or description last changed.': 'url、events 或 description 最近修改的时间。',
  'The signing secret in the format of Standard Webhooks, `whsec_` followed by base64.':
    '用于签名的密钥，由 `whsec_` 和 base64 组成，遵循 Standard Webhooks。',
  'It is returned only once.': '仅返回这一次。',
  'A student entered the range': '学生进入范围',
  'A student changed': '学生已变化',
  'A student left the range': '学生离开范围',
  'A point record entered the range': '积分记录进入范围',
  'A point record changed': '积分记录已变化',
  'A point record left the range': '积分记录离开范围',
  'A point record was revoked': '积分记录被撤销',
  'A grade entered the range': '年级进入范围',
  'A grade changed': '年级已变化',
  'A grade left the range': '年级离开范围',
  'A class entered the range': '班级进入范围',
  'A class changed': '班级已变化',
  'A class left the range': '班级离开范围',
  'A template entered the range': '模板进入范围',
  'A template changed': '模板已变化',
  'A template left the range': '模板离开范围',
  'The credential must have {} at the time of sending.': '发送时凭证须拥有 {} 权限。',
  'The student was deleted, or moved to a class outside the range.': '学生被删除，或调到了范围之外的班级。',
  'The server also sends a `score.deleted` for each point record of the student.':
    '服务器还会为该学生的每条积分记录发送一个 `score.deleted`。',
  'The student of the record was deleted or left the range, or the term was closed.':
    '记录所属的学生被删除或离开了范围，或者学期已结束。',
  'The points were not revoked.': '积分并未被撤销。',
  'The points no longer count.': '这些积分不再计入。',
  'A test message': '测试消息',
  'Sent once by `POST /webhooks/{id}/test`.': '由 `POST /webhooks/{id}/test` 发送，仅一次。',
  'The delivery succeeded.': '发送成功。',
  'Any 2xx status within 10 seconds counts as success.': '10 秒内返回任何 2xx 均视为成功。',
  'The server stops the webhook.': '服务器停止该 Webhook。',
  'The delivery failed, and the server retries it for three days.': '发送失败，服务器会在三天内重试。',
  'The type of the message.': '消息的类型。',
  'When it happened.': '发生的时间。',
  'What happened.': '发生了什么。',
  'Null, because `record` has the object.': '为 null，对象见 `record`。',
  'Null, because your lists no longer return the object.': '为 null，因为您的列表不再返回该对象。',
  'The data of the event.': '事件的数据。',
  'Identifies the message and stays the same when the server resends it.': '标识消息；重新发送时保持不变。',
  'Handle each message once.': '每条消息只处理一次。',
  'When this attempt was signed, in seconds since 1970.': '本次发送的签名时间，自 1970 年起的秒数。',
  'Reject messages that are more than five minutes old.': '超过五分钟的消息请拒绝。',
  'One or more signatures, separated by spaces.': '一个或多个签名，以空格分隔。',
  'Each is `v1,` followed by the base64 of HMAC-SHA256 over `webhook-id.webhook-timestamp.body`.':
    '每个签名为 `v1,` 加上对 `webhook-id.webhook-timestamp.body` 计算的 HMAC-SHA256 的 base64。',
  'The key is the decoded base64 after `whsec_` in the secret.':
    '密钥是 secret 中 `whsec_` 之后的 base64 解码后的内容。',
};

export const changesInChinese: Readonly<Record<string, string>> = {
  Changes: '变更',
  'Changes since your last call, for programs that keep a copy of the data.':
    '自上次查看以来的变更，供保存数据副本的程序使用。',
  'List the changes after a cursor': '列出游标之后的变更',
  'Returns the students, point records, grades, classes and templates that entered your range, changed in it, or left it.':
    '返回进入您的范围、在其中发生变化或离开它的学生、积分记录、年级、班级和模板。',
  'The feed includes every committed change.': '已保存的变更绝不遗漏。',
  'To start, call it without `after`.': '开始时不带 `after` 调用。',
  'The response has the current cursor and an empty list.': '响应包含当前游标和空列表。',
  'Then read the lists once.': '然后完整读取一次各列表。',
  'In each later call, send the `cursor` of the previous response as `after`.':
    '之后每次调用都把上一次响应的 `cursor` 作为 `after` 发送。',
  'An entry has the current state of the object, so you can safely apply it twice.':
    '条目包含对象的当前状态，因此可以放心重复应用。',
  'Handle `created` and `updated` alike by storing `record`.':
    '`created` 和 `updated` 的处理方式相同：保存 `record`。',
  'Each type requires the permission to list it.': '每种类型的条目需要列出该类型的权限。',
  'Changes stay in the feed for 30 days.': '变更保留 30 天。',
  'After a 410, start again without `after`, and read the lists again.':
    '收到 410 时，请不带 `after` 重新开始，并重新读取各列表。',
  'The `cursor` of the previous response.': '上一次响应中的 `cursor`。',
  'If you omit it, the response returns the current cursor.': '省略时返回当前游标。',
  'An empty value returns 40002, so that a client that lost its cursor does not miss changes.':
    '空值返回 40002，以免丢失游标的程序漏掉变更。',
  'Returns only changes of these types, separated by commas.': '只返回这些类型的变更，用逗号分隔。',
  'By default, the response includes all types that you may read.': '默认返回您可以读取的所有类型。',
  'A cursor is valid for the types that it was created with, or for fewer.':
    '游标适用于生成它时的类型，或其中的一部分。',
  'Maximum number of entries.': '最多返回的条数。',
  'Larger values count as 1000.': '更大的值按 1000 处理。',
  'A response may have fewer entries even if more follow, so check `hasMore`.':
    '即使后面还有，返回的条数也可能更少，请以 `hasMore` 为准。',
  'The cursor has expired, or it was created for other data, another range or fewer types.':
    '游标已过期，或属于其他数据、其他范围或更少的类型。',
  'Call GET /changes without after and store its cursor.':
    '请不带 after 调用 GET /changes，并保存返回的游标。',
  'Then read the lists once and continue from that cursor.': '然后完整读取一次各列表，再从该游标继续。',
  'Null if the personal data was erased.': '个人信息清除后为 null。',
  'Type of the object.': '对象的类型。',
  'For `created` and `updated`, `record` has the object.': '`created` 和 `updated`：对象见 `record`。',
  'For `deleted` and `revoked`, your lists no longer return the object.':
    '`deleted` 和 `revoked`：它不再出现在您的列表中。',
  'Time of the change.': '变更时间。',
  'The object as its list returns it now, or null if `action` is `deleted` or `revoked`.':
    '与列表当前返回的对象相同；`action` 为 `deleted` 或 `revoked` 时为 null。',
  'The last identifying fields of a removed object, or null if `record` is present.':
    '被移除对象最后的识别信息；有 `record` 时为 null。',
  'The changes in order.': '按顺序排列的变更。',
  'Several changes of one object may be merged into one entry.': '同一对象的多次变更可能合并为一条。',
  'The cursor to send as `after` in the next call.': '下次调用时作为 `after` 发送的游标。',
  'Whether more changes are available now.': '现在是否还有更多变更。',
  'If false, call again later.': '为 false 时请稍后再调用。',
};
