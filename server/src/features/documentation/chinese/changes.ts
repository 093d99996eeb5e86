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
