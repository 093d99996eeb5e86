export const errorsInChinese: Readonly<Record<string, string>> = {
  'Equals `requestId` in the body.': '与响应体中的 `requestId` 相同。',
  'Quote it when you ask the school about a call.': '向学校询问某次调用时请提供它。',
  'Calls allowed in the current window.': '当前窗口允许的调用次数。',
  'A write counts against two limits, and this header shows the one that is closer to exhaustion.':
    '写入计入两项限额，此处显示更接近用尽的一项。',
  'Calls left in the current window under the same limit.': '同一限额在当前窗口内剩余的调用次数。',
  'Seconds until the next window begins.': '距离新窗口开始的秒数。',
  'Calls left under each limit that the call counts against, in the format of the IETF draft.':
    '本次调用所计入的各项限额的剩余量，采用 IETF 草案的格式。',
  'The limits that apply, in the format of the IETF draft on rate limit headers.':
    '适用的各项限额，采用 IETF 限流响应头草案的格式。',
  'The entity tag of the returned data.': '返回数据的实体标签。',
  'Send it as `If-None-Match` to get a 304 without a body while the data is unchanged.':
    '作为 `If-None-Match` 发送；只要数据没有变化，就返回不带响应体的 304。',
  'The URL of the next page, with `rel="next"` (RFC 8288).': '下一页的地址，带 `rel="next"`（RFC 8288）。',
  'Returned only if the request sent `after` and another page follows.':
    '仅在请求发送了 `after` 且还有下一页时返回。',
  'Seconds to wait before the next call.': '下次调用前需要等待的秒数。',
  'The required authentication scheme, `Bearer`.': '所要求的认证方式：`Bearer`。',
  'The permission that the operation requires.': '该接口需要的权限。',
  'Returned only with 40302.': '仅随 40302 返回。',
  'Returned with the value `true` if the response is the stored response of an earlier call.':
    '当响应是此前某次调用保存的结果时出现，值为 `true`。',
  'The request id of the original call.': '原始调用的请求 id。',
  'Returned only with a stored response.': '仅在返回保存的响应时出现。',
  'Send the credential as {}.': '以 {} 发送凭证。',
  'Send the same credential as {} where you cannot set Authorization.':
    '无法设置 Authorization 时，以 {} 发送同一凭证。',

  'The body cannot be read, or a required field is missing.': '请求体无法读取，或缺少必填字段。',
  'Send a JSON object as application/json, at most 1 MiB, with every required field.':
    '以 application/json 发送不超过 1 MiB 的 JSON 对象，并填写所有必填字段。',
  'A value has the wrong type, is out of bounds or is unknown.': '某个值类型错误、超出界限或无法识别。',
  'The message names the field and the values that it accepts.': '错误信息会指出字段及其要求。',
  'Correct the value before you retry.': '请改正后再重试。',
  'The required classId is missing, or the list of a bulk request is missing or empty.':
    '缺少必需的 classId，或批量请求的列表缺失或为空。',
  'Send classId, or at least one entry.': '请提供 classId，或至少发送一条。',
  'The operation deletes data and was not confirmed.': '该操作会删除数据，但未经确认。',
  'To delete the data, repeat the call with confirm=true in the query.':
    '确认要删除时，请在查询参数中加上 confirm=true 再次调用。',
  'The request carries no credential.': '请求没有携带凭证。',
  'Send Authorization: Bearer <credential> or X-API-Token: <credential>.':
    '请发送 Authorization: Bearer <凭证> 或 X-API-Token: <凭证>。',
  'The credential is unknown.': '凭证无法识别。',
  'Compare your credential with the one shown when it was issued, because it may be truncated.':
    '请与新建时显示的凭证核对，可能没有复制完整。',
  'The credential is disabled or revoked.': '凭证已停用或已吊销。',
  'Ask the administrator who issued it.': '请联系创建该凭证的管理员。',
  'The credential has expired.': '凭证已过期。',
  'Ask for a later expiry date or a new credential.': '请申请延长有效期或新建凭证。',
  'The administrator who issued the credential is disabled or no longer responsible for its range.':
    '创建该凭证的管理员已停用，或不再负责其范围。',
  'Ask the school for a credential from another administrator.': '请学校由其他管理员新建凭证。',
  'The school of the credential is disabled or deleted.': '凭证所属的学校已停用或已删除。',
  'Stop calling and contact the school.': '请停止调用，并联系学校。',
  'The credential lacks the permission that the operation needs.': '凭证缺少该接口需要的权限。',
  'Ask the school to add the permission that the header X-Accepted-Permissions names.':
    '请学校添加响应头 X-Accepted-Permissions 指出的权限。',
  'A write names an object outside the range, or the operation requires a credential with a wider range.':
    '写入涉及范围之外的数据，或该接口仅限范围更大的凭证。',
  'Write only within the range that GET /ping returns.': '只在 GET /ping 显示的范围内写入。',
  'The path or the record does not exist, or a read names a record outside the range.':
    '路径或记录不存在，或读取了范围之外的记录。',
  'Check the id and the path.': '请检查 id 和路径。',
  'A record outside the range looks exactly like a missing one.':
    '范围之外的记录与不存在的记录表现完全相同。',
  'The name is taken, the record belongs to a past term, or the class or grade has graduated.':
    '名称已被占用，记录属于历史学期，或班级、年级已毕业。',
  'This is also the error for an idempotency key that is in use or belongs to another endpoint.':
    '幂等键正在使用或已用于其他接口时，也返回此错误。',
  'Choose another name.': '请换一个名称。',
  'Leave out classes and students that have graduated, because they are archived.':
    '已毕业的班级和学生只读，请不要写入。',
  'If the key is in use, wait a second and retry the same call with the same key.':
    '若幂等键正在使用，请等一秒后用同一个键重复同一调用。',
  'If the key belongs to another endpoint, use a new key.': '若该键已用于其他接口，请换一个新键。',
  'The credential has made too many calls in the current window.': '该凭证在当前窗口内调用过多。',
  'Wait for the number of seconds in Retry-After, then retry with the same idempotency key.':
    '请按 Retry-After 的秒数等待，然后用同一个幂等键重试。',
  'The server failed unexpectedly.': '服务器意外出错。',
  'Retry after a pause.': '请稍后重试。',
  'For a write, use the same idempotency key.': '写入请使用同一个幂等键。',
  'If it keeps failing, report the requestId.': '如果持续失败，请报告 requestId。',
  'The server is full, is stopping, or cannot reach its database.':
    '服务器已满载、正在停止，或无法连接数据库。',
  'A write may have taken effect.': '写入可能已经完成。',
  'The key prevents a second write.': '幂等键可避免重复写入。',
};
