import { defineTexts } from '../../../i18n/texts.ts';

/** Why calls are refused and what helps; `now…` texts tell the state since then. */
export const whyTexts = defineTexts({
  en: {
    why: 'Why, and what to do',
    none: 'The call succeeded.',
    tokenMissing: 'The app sent no credential. Set it up in the app, as “Authorization: Bearer …”.',
    tokenUnknown:
      'The credential does not exist. Compare it with the one you issued: it may be cut off or belong to another server.',
    tokenDisabled:
      'The credential was disabled or revoked. Enable it under “API credentials”, or issue a new one.',
    tokenExpired: 'The credential had expired. Set a new expiry under “API credentials”.',
    accessTokenExpired: 'The access token of the app had expired. Apps must ask for another one every hour.',
    schoolDisabled: 'The school is disabled, so none of its credentials work. Ask whoever runs this server.',
    issuerUnable:
      'Whoever issued the credential is disabled or no longer manages its scope. Issue a new one.',
    permission:
      'The credential lacked the permission {{permission}}. Add it under “Edit” if the app should do this.',
    scopeSchool:
      'Only credentials of the whole school may do this. Issue one for the whole school if the app should.',
    scopeGrade:
      'Only credentials of a grade or the whole school may do this. Issue such a one if the app should.',
    outOfRange:
      'The call named something outside the scope of the credential. Correct the app, or issue a credential with a wider scope.',
    notFound: 'What the call named does not exist in the scope of the credential. Check the id in the app.',
    outside:
      'What the call named (id {{id}}) exists, but outside the scope of the credential. For the app to reach it, issue one with a wider scope.',
    wasOutside: 'What the call named (id {{id}}) was not in the scope of the credential at that time.',
    gone: 'What the call named (id {{id}}) does not exist in your scope. It may have been deleted: have the app read the list again.',
    unknownPath:
      'The API has no such address or method. Compare it with the API reference; it may be a typing error in the app.',
    badRequest:
      'The app sent something wrong. The error above names it; the app’s developer must correct it.',
    tooLarge: 'The app sent too much at once. Send smaller batches.',
    conflict:
      'It contradicts what is stored, for example a name that is taken. The error above says what; repeating the call does not help.',
    tooOld:
      'The app was away for too long to be told all changes. It must read everything once and begin anew.',
    rateLimited: 'The app called too often. It should wait as long as “Retry-After” says and send batches.',
    unavailable:
      'The server was busy or restarting. The app should try again; with an idempotency key nothing counts twice.',
    internal: 'Something went wrong on the server. Give the request ID to whoever runs it.',
    unknown: 'The error above says why; what would help now is not known.',
    nowResolved: 'This has changed since: now the call would not be refused for it.',
    nowRevoked: 'The credential has been revoked; issue a new one.',
    nowUnusable: 'Besides, the credential can’t be used at the moment.',
  },
  zh: {
    why: '原因与处理办法',
    none: '调用成功。',
    tokenMissing: '应用没有携带凭证。请在应用中按“Authorization: Bearer …”设置。',
    tokenUnknown: '凭证不存在。请与新建时的凭证核对：可能没有复制完整，或属于另一台服务器。',
    tokenDisabled: '当时凭证已停用或已吊销。请在“API 凭证”中启用，或新建凭证。',
    tokenExpired: '当时凭证已过期。请在“API 凭证”中重新设置有效期。',
    accessTokenExpired: '应用的访问令牌已过期。应用需要每小时重新获取一次。',
    schoolDisabled: '学校已停用，其凭证全部无效。请联系系统管理员。',
    issuerUnable: '凭证的创建者已停用，或不再负责此范围。请新建凭证。',
    permission: '当时凭证没有 {{permission}} 权限。如果应用确实需要，请在“编辑”中添加。',
    scopeSchool: '只有全校范围的凭证可以这样做。如果应用确实需要，请新建全校范围的凭证。',
    scopeGrade: '只有年级或全校范围的凭证可以这样做。如果应用确实需要，请新建这样的凭证。',
    outOfRange: '调用涉及凭证范围之外的数据。请修改应用，或新建范围更大的凭证。',
    notFound: '在凭证的范围内找不到所指的数据。请检查应用使用的 ID。',
    outside: '所指的数据（ID {{id}}）存在，但在凭证的范围之外。如果应用需要它，请新建范围更大的凭证。',
    wasOutside: '当时所指的数据（ID {{id}}）不在凭证的范围之内。',
    gone: '在您负责的范围内找不到所指的数据（ID {{id}}），可能已被删除。请让应用重新读取列表。',
    unknownPath: '没有这个接口地址或方法，可能是应用中的拼写错误，请对照 API 文档。',
    badRequest: '应用发送的内容有误，具体见上面的错误原因，需要由应用的开发者改正。',
    tooLarge: '应用一次发送的内容过大，请分批发送。',
    conflict: '与已有数据冲突，例如名称已被占用，具体见上面的错误原因。原样重试没有用。',
    tooOld: '应用离线太久，已无法逐条获得变更，需要完整读取一次后重新开始。',
    rateLimited: '应用调用过于频繁。请按“Retry-After”等待，并改用批量接口。',
    unavailable: '服务器当时繁忙或正在重启，应用可以重试；使用幂等键不会重复计分。',
    internal: '服务器出错。请把请求 ID 提供给系统管理员。',
    unknown: '原因见上面的错误信息；目前无法判断怎样处理。',
    nowResolved: '此后情况已变：现在不会再因此被拒绝。',
    nowRevoked: '该凭证已被吊销，请新建凭证。',
    nowUnusable: '另外，该凭证目前无法使用。',
  },
});
