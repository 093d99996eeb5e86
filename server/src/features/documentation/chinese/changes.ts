export const changesInChinese: Readonly<Record<string, string>> = {
  Changes: '变更',
  'What has changed since you last looked, for programs that keep a copy.':
    '自上次查看以来的变更，供保存数据副本的程序使用。',
  'List what has changed after a cursor': '列出游标之后的变更',
  'Students, score records, grades, classes and templates that have come into your range, changed in it, or gone from it.':
    '进入您的范围、在其中发生变化或离开它的学生、积分记录、年级、班级和模板。',
  'Nothing that was stored is left out.': '已保存的变更绝不遗漏。',
  'To begin, call it without `after`: it answers the cursor of now and no entries.':
    '开始时不带 `after` 调用：返回当前游标，没有条目。',
  'Then read the lists once, and from then on ask for what came `after` the cursor of the answer before.':
    '然后完整读取一次各列表，此后以上一次响应的游标作为 `after` 继续查询。',
  'An entry holds the thing as it is now, so applying one twice does no harm; `created` and `updated` both mean: store this.':
    '条目包含对象的当前状态，重复应用没有害处；`created` 和 `updated` 都表示：保存它。',
  'Entries of a type need the permission that lists it.': '每种类型的条目需要列出该类型的权限。',
  'A change is in the feed for 30 days.': '变更保留 30 天。',
  '410 means: begin anew.': '410 表示：请重新开始。',
  'The `cursor` of the answer before.': '上一次响应中的 `cursor`。',
  'Without it, the cursor of now is answered.': '不带它时返回当前游标。',
  'An empty one is refused: whoever lost the place must not skip what came since.':
    '不接受空值：丢失位置的程序不能漏掉此后的变更。',
  'Only changes of these, separated by commas; without it, of all that you may read.':
    '只返回这些类型的变更，用逗号分隔；不带时返回您可以读取的所有类型。',
  'A cursor is good for the types it was made with, and for fewer.':
    '游标适用于生成它时的类型，或其中的一部分。',
  'Entries at most.': '最多条数。',
  'More than 1000 is served as 1000.': '超过 1000 时按 1000 返回。',
  'There may be fewer although there are more to come: `hasMore` tells.':
    '即使后面还有，返回的也可能更少：以 `hasMore` 为准。',
  'The feed of changes cannot go on from this cursor: it is too old, or was made for other data, another range or fewer types.':
    '无法从该游标继续：它过旧，或属于其他数据、其他范围或更少的类型。',
  'Begin anew: call GET /changes without after, keep its cursor, read the lists once, and go on from that cursor.':
    '请重新开始：不带 after 调用 GET /changes 并保存游标，完整读取一次各列表，再从该游标继续。',
  'Null once the personal data was erased.': '个人信息清除后为 null。',
  'What it is.': '对象的类型。',
  '`created` and `updated`: it is there, as `record`.': '`created` 和 `updated`：对象存在，见 `record`。',
  '`deleted` and `revoked`: it is in your lists no more.': '`deleted` 和 `revoked`：它不再出现在您的列表中。',
  'When it changed.': '变更时间。',
  'As the list shows it now; null: it is gone.': '与列表当前显示的相同；null：已不存在。',
  'What it was known by, beside its id; null: it is there.': '除 id 外用来识别它的信息；null：对象存在。',
  'Changes in their order; of several of one thing there may be one entry.':
    '按顺序排列的变更；同一对象的多次变更可能合并为一条。',
  'Where to go on: send it as `after`.': '继续的位置：作为 `after` 发送。',
  'Whether there is more at once; otherwise ask again later.': '是否马上还有更多；否则请稍后再查询。',
};
