export const operationsInChinese: Readonly<Record<string, string>> = {
  'Class scores for schools: read and write them from other systems.': '学校班级积分：供其他系统读取和写入。',
  'Read and write the scores of one school from another system: a campus card, a timetable, a script.':
    '从其他系统（如校园一卡通、课表系统或一段脚本）读取和写入一所学校的积分。',
  'New here?': '第一次使用？',
  'The [guide](/docs/guide) leads from a credential to the first call in two minutes and explains paging, retries, limits and every error code.':
    '[对接指南](/docs/guide)带您在两分钟内从拿到凭证走到第一次调用，并说明分页、重试、限流和每个错误码。',
  'This page describes each operation on its own.': '本页逐一说明每个接口。',
  'The API that the Classledger pages call has [its own reference](/docs/internal).':
    'Classledger 自身页面所用的接口见[另一页](/docs/internal)（英文）。',
  'Every call requires a credential in the header `Authorization` or `X-API-Token`.':
    '每次调用都要携带凭证，放在请求头 `Authorization` 或 `X-API-Token` 中。',
  'Only `/docs`, the guide and `/api/v1/openapi.json` need none.':
    '只有 `/docs`、对接指南和 `/api/v1/openapi.json` 不需要凭证。',
  'Every response has the same four fields.': '每个响应都有相同的四个字段。',
  '`code` is 0 on success, and `requestId` identifies the call.':
    '成功时 `code` 为 0；`requestId` 用来标识这次调用。',
  'A credential can read and change only the data in its range (a school, a grade or a class).':
    '凭证只能查看和修改其范围（学校、年级或班级）之内的数据。',
  'An unknown field in a body returns 40002, and the message suggests a similar known name.':
    '请求体中的未知字段返回 40002，并提示相近的已知名称。',
  'An unknown query parameter of a write also returns 40002.': '写操作的未知查询参数同样返回 40002。',
  'A read refuses an unknown query parameter if its name resembles a known one, and otherwise ignores it.':
    '读操作的未知查询参数如与已知名称相近则被拒绝，否则被忽略。',
  'Any call may send `_`, `t` or `timestamp` to bypass caches.':
    '任何调用都可以带 `_`、`t` 或 `timestamp`（避免缓存）。',
  'An optional field with `null` counts as omitted, unless the field accepts null.':
    '可选字段为 `null` 等同于不发送，除非该字段接受 null。',
  'Query parameters accept `1` and `0` for `true` and `false`.':
    '查询参数可用 `1` 和 `0` 表示 `true` 和 `false`。',
  'A read ignores empty filters.': '读操作忽略空的筛选条件。',
  'A `PATCH` may send the whole record with some fields changed.':
    '`PATCH` 可以发送整条记录，其中部分字段已修改。',
  'A read-only field that differs from the stored value returns 40002.': '只读字段与记录不一致时返回 40002。',
  'A trailing slash in a path is ignored.': '路径末尾多一个斜杠没有影响。',
  'Every `GET` operation also accepts `HEAD`.': '支持 `GET` 的地方也支持 `HEAD`。',
  'An unsupported method returns 40401 with the header `Allow`.':
    '不支持的方法返回 40401，并附响应头 `Allow`。',
  'Times are UTC.': '时间一律为 UTC。',
  'This installation': '本服务器',
  "The integrator's guide": '对接指南',

  Connectivity: '连接',
  Students: '学生',
  Scores: '积分',
  Grades: '年级',
  Classes: '班级',
  Templates: '模板',
  Seats: '座位',
  Statistics: '统计',
  Terms: '学期',
  'Check the connection and the credential.': '检查连接和凭证。',
  'The students in the range of the credential.': '凭证范围内的学生。',
  'Records that add points to students or deduct points from them.': '给学生加分或扣分的积分记录。',
  'A total is the sum of the records of the current term that are not revoked.':
    '总积分等于本学期未撤销的记录之和。',
  'Past terms of the classes, with their final rankings.': '各班级的历史学期及最终排名。',
  'The grades of the school.': '学校的年级。',
  'The classes of the grades.': '各年级的班级。',
  'Predefined reasons with points, for the whole school or for one class.':
    '预先设好的加减分理由和分值，可供全校或一个班级使用。',
  'The seats of a class and their students.': '班级的座位和就座的学生。',
  'Head counts, totals and top students of the range.': '范围内的人数、总积分和积分最高的学生。',

  'Needs at least one of the permissions {}, {}, {}, {}.': '需要以下权限之一：{}、{}、{}、{}。',
  'Any credential may call it.': '任何凭证都可以调用。',
  'Needs the permission {}.': '需要权限 {}。',
  'Reserved for school credentials.': '仅限学校凭证。',
  'Reserved for school and grade credentials.': '仅限学校凭证和年级凭证。',
  'Counts against the write limit.': '计入写入限额。',
  'Accepts an {}.': '支持 {}。',
  'The call succeeded, and {} is 0.': '成功，{} 为 0。',
  'Class credentials cannot call it.': '班级凭证不可调用。',
  'Send at least one field.': '至少提供一个字段。',
  'Needs no confirmation.': '无需确认。',
  'Ordered by id.': '按 id 排序。',
  'Names are unique in the school.': '名称在学校内不能重复。',
  'Names are unique in the grade.': '名称在年级内不能重复。',

  'Check the connection and read what the credential may do': '检查连接，查看凭证的权限',
  'Needs no permission.': '不需要任何权限。',
  'Call it first to read the school, the range and the permissions of the credential.':
    '请首先调用它：它返回凭证所属的学校、范围和权限。',
  '`callCount` is the number of earlier authenticated calls, except possibly those of the last second.':
    '`callCount` 是此前已通过认证的调用次数，最近一秒内的可能尚未计入。',

  'With `explain=true`, it also returns the range of the credential and the operations that it may call.':
    '带 `explain=true` 时，还返回凭证的范围和可以调用的接口。',

  'List the students in the range': '列出范围内的学生',
  'If you filter by a class or grade outside the range, the list is empty.':
    '按范围之外的班级或年级筛选，得到空列表。',
  '`keyword` matches a part of the username or the actual name and ignores case.':
    '`keyword` 匹配用户名或姓名的一部分，不区分大小写。',
  'Read one student with the newest records': '查看一名学生及其最新记录',
  'The response never has the email address, only whether there is one.':
    '不返回邮箱地址，只返回是否已绑定邮箱。',
  'Create one student, or up to 200': '新建一名或最多 200 名学生',
  'The single form takes the fields of one student.': '单个形式：直接填写一名学生的字段。',
  'The batch form takes up to 200 entries in `batch`.': '批量形式：`batch` 最多 200 条。',
  'Each entry succeeds or fails on its own, and `details` has the results.':
    '每条各自成功或失败，结果见 `details`。',
  'A class credential may omit `classId`, and all others must send a class in their range.':
    '班级凭证可以省略 `classId`，其他凭证必须指定范围内的班级。',
  'If you omit the password, the server generates one and returns it once as `initialPassword`.':
    '不提供密码时自动生成，并只在 `initialPassword` 中返回一次。',
  '`actualName` defaults to the username.': '`actualName` 默认为用户名。',
  'Change a student, or move it to another class': '修改学生信息，或为其调班',
  'A move requires both classes in the range, and the records move with the student.':
    '调班要求两个班级都在范围内，积分记录随之转移。',
  'This operation cannot change the password or the email address.': '此处不能修改密码和邮箱。',
  'Delete a student with all records and seats': '删除学生及其全部记录和座位',

  'List the point records in the range': '列出范围内的积分记录',
  'By default, the newest records come first.': '默认最新的在前。',
  'A record has the current class of its student.': '记录显示学生当前所在的班级。',
  'Revoked records are not listed, and those of a past term only with `termId`.':
    '已撤销的记录不会列出，历史学期的记录只在发送 `termId` 时列出。',
  'Give points to one student, or to up to 200': '给一名或最多 200 名学生加减分',
  'The single form gives points to one student, and an error fails the request.':
    '单个形式：一名学生，失败则整个请求失败。',
  'The batch form takes `items`, and `scoreChange` and `description` of the request are their defaults.':
    '批量形式：使用 `items`，顶层的 `scoreChange` 和 `description` 作为默认值。',
  'The template form takes its defaults from the template with the id `templateId`.':
    '模板形式：由 `templateId` 提供默认值。',
  'Values of an entry override those of the request, which override those of the template.':
    '单条的值优先于请求顶层的值，请求顶层的值优先于模板的值。',
  'In the last two forms, each entry succeeds or fails on its own, and `details` has the results.':
    '后两种形式中每条各自成功或失败，结果见 `details`。',
  'All successful entries are committed together or, after a crash, none of them.':
    '成功的各条一起写入，若服务器中途崩溃则全部不写入。',
  'Revoke a point record': '撤销一条积分记录',
  'The record immediately stops counting and disappears from all lists.':
    '该记录立即从所有列表和总积分中移除。',
  'A record that is already revoked returns 40401.': '已撤销的记录返回 40401。',
  'A record of a past term returns 40901.': '历史学期的记录返回 40901。',

  'List the past terms of the classes in the range': '列出范围内各班级的历史学期',
  'A term belongs to one class.': '每个学期属于一个班级。',
  '`archive` keeps its standings, and `reset` does not.': '`archive` 保留最终排名，`reset` 不保留。',
  '`classId` is null if the class was deleted, and only school credentials see such a term.':
    '班级已删除时 `classId` 为 null，只有学校凭证能看到这样的学期。',
  'List the final ranking of a past term, best first': '列出历史学期的最终排名，积分高的在前',
  'Names and points are those at the end of the term.': '姓名和积分为学期结束时的内容。',
  'A term that ended with `reset` has no ranking.': '以 `reset` 结束的学期没有排名。',

  'List the grades in the range': '列出范围内的年级',
  'A class credential sees the grade of its class.': '班级凭证可以看到其班级所在的年级。',
  'Create a grade': '新建年级',
  'Rename a grade': '重命名年级',
  'A grade credential may rename its own grade.': '年级凭证可以重命名自己的年级。',
  'A class credential cannot rename grades.': '班级凭证不能重命名年级。',
  'Delete a grade with all its classes and students': '删除年级及其全部班级和学生',
  'Also deletes its classes, students, records and seats.': '同时删除其中的班级、学生、积分记录和座位。',
  'List the classes in the range': '列出范围内的班级',
  '`gradeId` narrows the list to one grade.': '用 `gradeId` 只列出一个年级的班级。',
  'Create a class in a grade': '在年级中新建班级',
  'Rename a class, or move it to another grade': '重命名班级，或将其移到其他年级',
  'A move requires both grades in the range, so only a school credential can move a class.':
    '移动要求两个年级都在范围内，因此只有学校凭证可以移动班级。',
  'A class credential may rename its own class.': '班级凭证可以重命名自己的班级。',
  'Delete a class with all its students': '删除班级及其全部学生',
  'Also deletes its students, records, templates and seats.': '同时删除其中的学生、积分记录、模板和座位。',

  'List the templates': '列出模板',
  'The templates of the school and of the classes in the range, ordered by id.':
    '全校模板和范围内各班级的模板，按 id 排序。',
  'Create a template': '新建模板',
  'A template without `classId` is school-wide and requires a school credential.':
    '不提供 `classId` 则为全校模板，需要学校凭证。',
  'Names are unique among the school-wide templates and among the templates of a class.':
    '全校模板之间、同一班级的模板之间名称不能重复。',
  'Change a template': '修改模板',
  'Points that were given earlier do not change.': '已经加减的分不受影响。',
  'A school-wide template needs a school credential.': '全校模板需要学校凭证。',
  'Delete a template': '删除模板',
  'Points that were given with it do not change.': '用它加减的分保留。',
  'Read the head counts, totals and best students of the range': '查看范围内的人数、总积分和积分最高的学生',
  'The dates affect the sums and the ranking, but not the head counts.': '日期只影响合计和排名，不影响人数。',
  'The ranking has up to ten students with at least one record, highest total first.':
    '排名最多包含十名至少有一条记录的学生，积分高的在前。',
  'Equal totals are sorted by id.': '同分按 id 排序。',
  'List the sums of each student in a period': '列出每名学生在一段时间内的合计',
  'List the sums of each class in a period': '列出每个班级在一段时间内的合计',
  'List the sums of each day in a period, oldest first': '列出一段时间内每天的合计，从最早的一天开始',
  'Sums have only records of the current term.': '合计只包含本学期的记录。',
  'The list begins with the first day that has records.': '列表从第一个有记录的日期开始。',
  'Later days without records have zeros.': '之后没有记录的日期各项为零。',

  'Read the seats of a class and their students': '查看班级座位表',
  'Returns all seats, sorted by group, row and column.': '全部座位，按组、排、列排序。',
  'An empty seat has null instead of a student.': '空座位的学生为 null。',
  'Reading the names of seated students does not require `students:read`.':
    '无需 `students:read` 即可看到座位上的学生。',
  'Replace the seats of a class and their students': '重设班级的座位和就座的学生',
  'Send the whole layout.': '请提供完整的座位布局。',
  'Omitted seats are deleted, and all seats get new ids.': '未包含的座位会被删除，所有座位都会得到新的 id。',
  'If you omit them all or send null, the seat is empty.': '都不提供或为 null，则座位为空。',
  'Each seat and each student must appear only once, and all students must belong to the class.':
    '每个座位、每名学生只能出现一次，且都必须是该班学生。',
  'One invalid seat fails the whole request, and nothing changes.':
    '有一个座位错误则整个请求失败，不做任何修改。',
  'The pages show the same seats.': '页面上显示的是同一份座位表。',

  Layout: '座位布局',
  Single: '单个',
  Batch: '批量',
  Template: '模板',
  Move: '移动',
  Disable: '停用',
  Grade: '年级',
  Class: '班级',
  Rename: '重命名',
  Points: '分值',
  'Create or update up to 200 students, matched by external id or username':
    '按外部编号或用户名匹配，新建或更新最多 200 名学生',
  'An entry matches the student with its `externalId`.': '条目首先匹配具有该 `externalId` 的学生。',
  'If there is none, it matches the student with its `username`, who then gets the `externalId`.':
    '没有时匹配具有该 `username` 的学生，并为其写入 `externalId`。',
  'If no student matches, the server creates one, which requires a `username` and a class.':
    '没有匹配的学生时新建学生，此时需要 `username` 和班级。',
  'The server generates a password for a new student and returns it once as `initialPassword`.':
    '系统为新学生生成密码，并在 `initialPassword` 中只返回一次。',
  'Omitted fields do not change, and null removes an external id or card number.':
    '省略的字段保持不变；null 会清除外部编号或卡号。',
  'The `classId` of the request applies to every entry without its own.':
    '顶层的 `classId` 用于每个没有自带班级的条目。',
  'Each entry succeeds or fails on its own, and `details` has the results and actions.':
    '每条各自成功或失败，`details` 逐条说明结果与所做的操作。',
  'The successful entries are committed together or not at all.': '成功的条目要么一起保存，要么都不保存。',
  'An entry returns 40901 if another student had its username, external id or card number when the request began.':
    '请求开始时用户名、外部编号或卡号已属于其他学生的条目返回 40901。',
  'It also returns 40901 if its username belongs to a student with another external id.':
    '用户名属于外部编号不同的学生时也返回 40901。',
  'A move requires both classes in the range, otherwise the entry fails with 40303.':
    '调班时，原班级和新班级都必须在凭证范围内，否则该条目以 40303 失败。',
  'With `dryRun`, the server stores nothing and does not use the `Idempotency-Key`.':
    '带 `dryRun` 时不保存任何内容，也不使用 `Idempotency-Key`。',
  'Identify a student by `userId`, `username`, `externalId` or `cardNumber`.':
    '用 `userId`、`username`、`externalId` 或 `cardNumber` 指定学生。',
  'If you send several of them, they must match the same student.': '同时给出多个时，必须对应同一名学生。',
  Sync: '同步',
  'The list includes grades that have graduated, unless you send `archived=false`.':
    '列表包含已毕业的年级，除非发送 `archived=false`。',
  'The list includes classes that have graduated, unless you send `archived=false`.':
    '列表包含已毕业的班级，除非发送 `archived=false`。',
};
