export const errorsInChinese: Readonly<Record<string, string>> = {
  'Equals `requestId` in the body.': '与响应体中的 `requestId` 相同。',
  'Quote it when you ask the school about a call.': '向学校询问某次调用时请提供它。',
  'Calls allowed in the window, of the limit that is closer to being used up: all calls or, for a write, the writes.':
    '当前窗口允许的调用次数，取更接近用尽的那个限额：全部调用，写入时也可能是写入次数。',
  'Calls left of that limit in the current window.': '该限额在当前窗口内剩余的调用次数。',
  'Seconds until a new window begins.': '距离新窗口开始的秒数。',
  'What is left of each limit that the call counts in, in the form of the IETF draft.':
    '本次调用所计入的各项限额的剩余量，采用 IETF 草案的格式。',
  'The limits that apply, in the form of the IETF draft on rate limit headers.':
    '适用的各项限额，采用 IETF 限流响应头草案的格式。',
  'Names the data of this answer.': '标识本次响应的数据。',
  'Send it as `If-None-Match`, and the answer is 304 without a body as long as nothing has changed.':
    '作为 `If-None-Match` 发送；只要数据没有变化，就返回不带响应体的 304。',
  'Where `after` was sent and a page follows: its address, with `rel="next"` (RFC 8288).':
    '发送了 `after` 且还有下一页时：下一页的地址，带 `rel="next"`（RFC 8288）。',
  'Seconds to wait before the next call.': '下次调用前需要等待的秒数。',
  'The scheme that is expected: `Bearer`.': '所要求的认证方式：`Bearer`。',
  'With 40302 only: the permission that the operation needs.': '仅随 40302 返回：该接口需要的权限。',
  'Present, with the value `true`, when this is the stored answer of an earlier call.':
    '当响应是此前某次调用保存的结果时出现，值为 `true`。',
  'On a replay: the request id of the call that did the work.': '重放时：真正完成工作的那次调用的请求 id。',
  'Send the credential as {}.': '以 {} 发送凭证。',
  'Send the same credential as {} where you cannot set Authorization.':
    '无法设置 Authorization 时，以 {} 发送同一凭证。',

  'The body cannot be used as a whole, or a required field is missing.':
    '请求体整体无法使用，或缺少必填字段。',
  'Send a JSON object as application/json, at most 1 MiB, with every required field.':
    '以 application/json 发送不超过 1 MiB 的 JSON 对象，并填写所有必填字段。',
  'A value has the wrong type, is out of bounds or is not known here.':
    '某个值类型错误、超出界限或无法识别。',
  'The message names the field and what it takes.': '错误信息会指出字段及其要求。',
  'Correct it; repeating the call cannot help.': '请改正；原样重试没有用。',
  'classId is needed and absent, or the list of a bulk request is missing or empty.':
    '缺少必需的 classId，或批量请求的列表缺失或为空。',
  'Name the class, or send at least one entry.': '请指定班级，或至少发送一条。',
  'The operation destroys data and was not confirmed.': '该操作会删除数据，但未经确认。',
  'Repeat the call with confirm=true in the query, if that is what you mean.':
    '如果确实要这样做，请在查询参数中加上 confirm=true 再次调用。',
  'The request carries no credential.': '请求没有携带凭证。',
  'Send Authorization: Bearer <token> or X-API-Token: <token>.':
    '请发送 Authorization: Bearer <token> 或 X-API-Token: <token>。',
  'The credential is not known.': '凭证无法识别。',
  'Compare the token with the one that was shown when it was issued; it may be cut off.':
    '请与新建时显示的凭证核对，可能没有复制完整。',
  'The credential is disabled or revoked.': '凭证已停用或已吊销。',
  'Ask the administrator who issued it.': '请联系创建该凭证的管理员。',
  'The credential has expired.': '凭证已过期。',
  'Ask for a later expiry date or a new credential.': '请申请延长有效期或新建凭证。',
  'The administrator who issued the credential is disabled or no longer responsible for its range.':
    '创建该凭证的管理员已停用，或不再负责其范围。',
  'Ask the school for a credential from another administrator.': '请学校由其他管理员新建凭证。',
  'The school of the credential is disabled or deleted.': '凭证所属的学校已停用或已删除。',
  'Stop calling, and ask the school.': '请停止调用，并联系学校。',
  'The credential lacks the permission that the operation needs.': '凭证缺少该接口需要的权限。',
  'The header X-Accepted-Permissions names it; ask for it to be added.':
    '响应头 X-Accepted-Permissions 会指出所需权限，请申请添加。',
  'A write names something outside the range, or the operation is reserved for a wider scope.':
    '写入涉及范围之外的数据，或该接口仅限范围更大的凭证。',
  'Write only inside the range that GET /ping shows.': '只在 GET /ping 显示的范围内写入。',
  'The path or the record does not exist, or a read names a record outside the range.':
    '路径或记录不存在，或读取了范围之外的记录。',
  'Check the id and the path.': '请检查 id 和路径。',
  'A record outside the range looks exactly like a missing one.':
    '范围之外的记录与不存在的记录表现完全相同。',
  'The name is taken, the record belongs to a past term, what is written to has graduated, or the idempotency key is in use or was used on another endpoint.':
    '名称已被占用，记录属于历史学期，要写入的对象已毕业，或幂等键正在使用、已用于其他接口。',
  'Choose another name.': '请换一个名称。',
  'What has graduated is archived: leave it out.': '已毕业的内容只读，请不要写入。',
  'For a key in use, wait a second and repeat the same call with the same key.':
    '若幂等键正在使用，请等一秒后用同一个键重复同一调用。',
  'A key that was used elsewhere cannot be used again.': '已用于其他接口的键不能再用。',
  'The credential has made too many calls in the current window.': '该凭证在当前窗口内调用过多。',
  'Wait for the number of seconds in Retry-After, then repeat with the same idempotency key.':
    '请按 Retry-After 的秒数等待，然后用同一个幂等键重试。',
  'The server failed unexpectedly.': '服务器意外出错。',
  'Repeat the call after a pause, with the same idempotency key if it writes.':
    '请稍后重试，写入请使用同一个幂等键。',
  'If it keeps failing, report the requestId.': '如果持续失败，请报告 requestId。',
  'The server is full, is stopping, or cannot reach its database.':
    '服务器已满载、正在停止，或无法连接数据库。',
  'A write may have been done.': '写入可能已经完成。',
  'Wait for the number of seconds in Retry-After, then repeat with the same idempotency key: it is done once.':
    '请按 Retry-After 的秒数等待，然后用同一个幂等键重试：工作只会做一次。',
};
