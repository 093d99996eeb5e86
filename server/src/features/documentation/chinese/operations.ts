export const operationsInChinese: Readonly<Record<string, string>> = {
  'Class scores for schools: read and write them from other systems.': '学校班级积分：供其他系统读取和写入。',
  'Read and write the scores of one school from another system: a campus card, a timetable, a script.':
    '从其他系统（如校园一卡通、课表系统或一段脚本）读取和写入一所学校的积分。',
  'New here?': '第一次使用？',
  'The [guide](/docs/guide) leads from a credential to the first call in two minutes and explains paging, retries, limits and every error code.':
    '[对接指南](/docs/guide)带您在两分钟内从拿到凭证走到第一次调用，并说明分页、重试、限流和每个错误码。',
  'This page describes each operation on its own.': '本页逐一说明每个接口。',
  'What the pages of Classledger itself call is on [another](/docs/internal).':
    'Classledger 自身页面所用的接口见[另一页](/docs/internal)（英文）。',
  'Every call carries a credential, in the header `Authorization` or `X-API-Token`.':
    '每次调用都要携带凭证，放在请求头 `Authorization` 或 `X-API-Token` 中。',
  'Only `/docs`, the guide and `/api/v1/openapi.json` need none.':
    '只有 `/docs`、对接指南和 `/api/v1/openapi.json` 不需要凭证。',
  'Every answer has the same four fields.': '每个响应都有相同的四个字段。',
  '`code` is 0 when it worked; `requestId` names the call.':
    '成功时 `code` 为 0；`requestId` 用来标识这次调用。',
  'A credential sees and changes what lies inside its range (a school, a grade or a class) and nothing else.':
    '凭证只能查看和修改其范围（学校、年级或班级）之内的数据。',
  'An unknown field of a body is 40002, with the name that is probably meant.':
    '请求体中的未知字段返回 40002，并指出可能想写的名称。',
  'So is an unknown query parameter of a write, and one of a read that looks misspelt; a read ignores any other.':
    '写操作的未知查询参数、读操作中像是拼错的查询参数也一样；读操作忽略其他未知参数。',
  'Any call may carry `_`, `t` or `timestamp` against caches.':
    '任何调用都可以带 `_`、`t` 或 `timestamp`（避免缓存）。',
  '`null` in an optional field means absent, unless the field takes null.':
    '可选字段为 `null` 等同于不发送，除非该字段接受 null。',
  'Queries take `1` and `0` for `true` and `false`, and an empty filter of a read for none.':
    '查询参数可用 `1` 和 `0` 表示 `true` 和 `false`；读操作的空筛选条件视为没有。',
  'A `PATCH` may send the record back with something changed.':
    '`PATCH` 可以把记录连同要修改的内容一起发回。',
  'A read-only field that differs from the record is 40002.': '只读字段与记录不一致时返回 40002。',
  'A slash at the end of a path changes nothing.': '路径末尾多一个斜杠没有影响。',
  '`HEAD` works where `GET` does.': '支持 `GET` 的地方也支持 `HEAD`。',
  'An unknown method is 40401 with `Allow`.': '不支持的方法返回 40401，并附 `Allow`。',
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
  'Is the server there, and who am I to it?': '服务器是否可用，我的凭证有哪些权限？',
  'The students in the range of the credential.': '凭证范围内的学生。',
  'Plus and minus points, one record each.': '加分和扣分，每次一条积分记录。',
  'Totals are always the sum of the live records.': '总积分始终等于有效记录之和。',
  'The grades of the school.': '学校的年级。',
  'The classes of the grades.': '各年级的班级。',
  'Ready-made reasons with points, for the whole school or for one class.':
    '预先设好的加减分理由和分值，可供全校或一个班级使用。',
  'Who sits where in a class.': '班级的座位表。',
  'The range at a glance.': '范围内的总体情况。',

  'Any credential may call it.': '任何凭证都可以调用。',
  'Needs the permission {}.': '需要权限 {}。',
  'Reserved for school credentials.': '仅限学校凭证。',
  'Reserved for school and grade credentials.': '仅限学校凭证和年级凭证。',
  'Counts as a write.': '计为一次写入。',
  'Takes an {}.': '支持 {}。',
  'The call succeeded, and {} is 0.': '成功，{} 为 0。',
  'Not for class credentials.': '班级凭证不可调用。',
  'Takes at least one field.': '至少提供一个字段。',
  'Needs no confirmation.': '无需确认。',
  'Ordered by id.': '按 id 排序。',
  'Names are unique in the school.': '名称在学校内不能重复。',
  'Names are unique in the grade.': '名称在年级内不能重复。',

  'Check the connection and read what the credential may do': '检查连接，查看凭证的权限',
  'Needs no permission.': '不需要任何权限。',
  'Call it first: it shows the school, the range and the permissions of the credential.':
    '请首先调用它：它返回凭证所属的学校、范围和权限。',
  '`callCount` counts the authenticated calls answered before this one; those of the last second may be missing.':
    '`callCount` 是此前已通过认证的调用次数，最近一秒内的可能尚未计入。',

  'With `explain=true` it also tells what the credential reaches, and which operations it may call.':
    '带 `explain=true` 时，还返回凭证能够访问的数据和可以调用的接口。',

  'List the students in the range': '列出范围内的学生',
  'A class or grade outside the range gives an empty list.': '按范围之外的班级或年级筛选，得到空列表。',
  '`keyword` matches a part of the username or the actual name and ignores case.':
    '`keyword` 匹配用户名或姓名的一部分，不区分大小写。',
  'Read one student with the newest records': '查看一名学生及其最新记录',
  'The email address is never shown, only whether there is one.': '不返回邮箱地址，只返回是否已绑定邮箱。',
  'Create one student, or up to 200': '新建一名或最多 200 名学生',
  'Single form: the fields of one student.': '单个形式：直接填写一名学生的字段。',
  'Batch form: `batch` with up to 200 entries; each succeeds or fails on its own and `details` tells which.':
    '批量形式：`batch` 最多 200 条；每条各自成功或失败，结果见 `details`。',
  'A class credential may leave `classId` out, any other must name a class in its range.':
    '班级凭证可以省略 `classId`，其他凭证必须指定范围内的班级。',
  'Without a password one is generated and shown once as `initialPassword`.':
    '不提供密码时自动生成，并只在 `initialPassword` 中返回一次。',
  'Without `actualName` the username stands in.': '不提供 `actualName` 时以用户名代替。',
  'Change a student, or move it to another class': '修改学生信息，或将其转到其他班级',
  'A move needs both classes in the range; the records move too.':
    '转班要求两个班级都在范围内，积分记录随之转移。',
  'Password and email address cannot be changed here.': '此处不能修改密码和邮箱。',
  'Delete a student with all records and seats': '删除学生及其全部记录和座位',

  'List the score records in the range': '列出范围内的积分记录',
  'Newest first unless sorted otherwise.': '默认最新的在前。',
  'A record shows the class where its student is now.': '记录显示学生当前所在的班级。',
  'Revoked records and those of past terms are not listed.': '已撤销的记录和历史学期的记录不会列出。',
  'Give points to one student, or to up to 200': '给一名或最多 200 名学生加减分',
  'Single form: one student; a failure fails the request.': '单个形式：一名学生，失败则整个请求失败。',
  'Batch form: `items`, with `scoreChange` and `description` at the top as defaults.':
    '批量形式：使用 `items`，顶层的 `scoreChange` 和 `description` 作为默认值。',
  'Template form: `templateId` gives the defaults.': '模板形式：由 `templateId` 提供默认值。',
  'An entry wins over the top of the request, which wins over the template.':
    '单条的值优先于请求顶层的值，请求顶层的值优先于模板的值。',
  'In the last two forms each entry succeeds or fails on its own and `details` tells which; the successful ones are written together or, after a crash, not at all.':
    '后两种形式中每条各自成功或失败，结果见 `details`；成功的各条一起写入，若服务器中途崩溃则全部不写入。',
  'Revoke a score record': '撤销一条积分记录',
  'The record leaves every list and total immediately.': '该记录立即从所有列表和总积分中移除。',
  'A record that is already revoked is not found.': '已撤销的记录视为不存在。',
  'A record of a past term is a conflict.': '撤销历史学期的记录会返回冲突。',

  'List the grades in the range': '列出范围内的年级',
  'A class credential sees the grade of its class.': '班级凭证可以看到其班级所在的年级。',
  'Create a grade': '新建年级',
  'Rename a grade': '重命名年级',
  'A grade credential may rename its own grade.': '年级凭证可以重命名自己的年级。',
  'A class credential may rename none.': '班级凭证不能重命名年级。',
  'Delete a grade with all its classes and students': '删除年级及其全部班级和学生',
  'Also deletes its classes, students, records and seats.': '同时删除其中的班级、学生、积分记录和座位。',
  'List the classes in the range': '列出范围内的班级',
  '`gradeId` narrows the list to one grade.': '用 `gradeId` 只列出一个年级的班级。',
  'Create a class in a grade': '在年级中新建班级',
  'Rename a class, or move it to another grade': '重命名班级，或将其移到其他年级',
  'A move needs both grades in the range, so only a school credential can move a class.':
    '移动要求两个年级都在范围内，因此只有学校凭证可以移动班级。',
  'A class credential may rename its own class.': '班级凭证可以重命名自己的班级。',
  'Delete a class with all its students': '删除班级及其全部学生',
  'Also deletes its students, records, templates and seats.': '同时删除其中的学生、积分记录、模板和座位。',

  'List the score templates': '列出积分模板',
  'The templates of the school and of the classes in the range, ordered by id.':
    '全校模板和范围内各班级的模板，按 id 排序。',
  'Create a score template': '新建积分模板',
  'Without `classId` the template is school-wide, which needs a school credential.':
    '不提供 `classId` 则为全校模板，需要学校凭证。',
  'Names are unique under one owner: the school, or one class.':
    '名称在同一所有者（学校或某个班级）之下不能重复。',
  'Change a score template': '修改积分模板',
  'Points already given stay as they are.': '已经加减的分不受影响。',
  'A school-wide template needs a school credential.': '全校模板需要学校凭证。',
  'Delete a score template': '删除积分模板',
  'Points given with it stay.': '用它加减的分保留。',
  'Read the head counts, totals and best students of the range': '查看范围内的人数、总积分和积分最高的学生',
  'The dates narrow the sums and the ranking, not the head counts.': '日期只影响合计和排名，不影响人数。',
  'The ranking holds up to ten students with at least one record, best first, ties by id.':
    '排名最多包含十名至少有一条记录的学生，积分高的在前，同分按 id 排序。',

  'Read who sits where in a class': '查看班级座位表',
  'All seats by group, row and column.': '全部座位，按组、排、列排序。',
  'A seat where no one sits has null instead of a student.': '空座位的学生为 null。',
  'Who sits there is told without `students:read`.': '无需 `students:read` 即可看到座位上的学生。',
  'Replace the seats of a class and who sits there': '重设班级的座位和就座的学生',
  'Takes the whole layout; what is not in it is gone, and all seats get new ids.':
    '提供完整的座位布局；未包含的座位会被删除，所有座位都会得到新的 id。',
  'None, or null, leaves the seat empty.': '都不提供或为 null，则座位为空。',
  'Each seat stands there once, each student too, and all are students of the class.':
    '每个座位、每名学生只能出现一次，且都必须是该班学生。',
  'One wrong seat fails the request, and nothing changes.': '有一个座位错误则整个请求失败，不做任何修改。',
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
    '按外部编号或用户名匹配，创建或更新最多 200 名学生',
  'An entry means the student with its `externalId`; where there is none, the one with its `username`, who then gets the `externalId`.':
    '条目首先对应具有该 `externalId` 的学生；没有时对应具有该 `username` 的学生，并为其写入 `externalId`。',
  'Where there is neither, it creates a student, which takes a `username` and a class, with a generated password that is shown once as `initialPassword`.':
    '两者都没有时创建学生，此时需要 `username` 和班级；系统生成密码，并以 `initialPassword` 只显示一次。',
  'What an entry leaves out stays as it is; null takes an external id or card number away.':
    '条目中未给出的内容保持不变；null 会清除外部编号或卡号。',
  'The `classId` at the top is that of every entry without its own.':
    '顶层的 `classId` 用于每个没有自带班级的条目。',
  'Each entry succeeds or fails on its own, `details` tells which and what it did; what succeeds is stored together or not at all.':
    '每个条目各自成功或失败，`details` 逐条说明结果与所做的操作；成功的条目要么一起保存，要么都不保存。',
  'A username, external id or card number that somebody else has at the beginning of the request is taken (40901), as is the username of a student with another external id.':
    '在请求开始时已属于他人的用户名、外部编号或卡号视为已被占用（40901）；外部编号不同的学生的用户名也视为已被占用。',
  'A move needs both classes in the range, otherwise the entry fails with 40303.':
    '调班时，原班级和新班级都必须在凭证范围内，否则该条目以 40303 失败。',
  'With `dryRun` nothing is stored, and no `Idempotency-Key` is used.':
    '带 `dryRun` 时不保存任何内容，也不使用 `Idempotency-Key`。',
  'A student is named by `userId`, `username`, `externalId` or `cardNumber`; several of them must mean the same student.':
    '学生可用 `userId`、`username`、`externalId` 或 `cardNumber` 指定；同时给出多个时，必须指同一名学生。',
  Sync: '同步',
  'Grades that have graduated are there too, unless `archived` leaves them out.':
    '已毕业的年级也会列出，除非用 `archived` 排除。',
  'Classes that have graduated are there too, unless `archived` leaves them out.':
    '已毕业的班级也会列出，除非用 `archived` 排除。',
};
