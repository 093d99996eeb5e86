import { defineTexts } from '../../../i18n/texts.ts';

/** A `now…` text describes the present state. */
export const refusalTexts = defineTexts({
  en: {
    why: 'Why, and what to do',
    none: 'The call succeeded.',
    tokenMissing:
      'The app sent no credential. Enter it in the app, which must send it as “Authorization: Bearer …”.',
    tokenUnknown:
      'The credential does not exist. Check that the app has the complete credential and calls the right server.',
    tokenDisabled:
      'The credential was disabled or revoked. Enable it under “API credentials”, or issue a new one.',
    tokenExpired: 'The credential had expired. Set a new expiry under “API credentials”.',
    accessTokenExpired: 'The app’s access token had expired. Apps must request a new one every hour.',
    schoolDisabled: 'The school is disabled, so none of its credentials work. Ask the system administrator.',
    issuerUnable:
      'The administrator who issued the credential is disabled or no longer manages its scope. Issue a new one.',
    permission:
      'The credential did not have the permission {{permission}}. If the app needs it, add it under “Edit”.',
    scopeSchool:
      'This call needs a credential for the whole school. If the app needs the call, issue such a credential.',
    scopeGrade:
      'This call needs a credential for a grade or the whole school. If the app needs the call, issue such a credential.',
    outOfRange:
      'The call used data outside the credential’s scope. Correct the app, or issue a credential with a wider scope.',
    notFound: 'The requested item does not exist in the credential’s scope. Check the id in the app.',
    outside:
      'The requested item (id {{id}}) exists, but outside the credential’s scope. If the app needs it, issue a credential with a wider scope.',
    wasOutside: 'The requested item (id {{id}}) was outside the credential’s scope at that time.',
    gone: 'The requested item (id {{id}}) does not exist in your scope. It may have been deleted. The app should read the list again.',
    unknownPath:
      'The API has no such address or method. The app may contain a typing error; check the API reference.',
    badRequest:
      'The app sent invalid data. The error above shows the details. The app’s developer must correct it.',
    tooLarge: 'The app sent too much at once. It should send smaller batches.',
    conflict:
      'The call conflicts with stored data, for example because a name is taken. The error above shows the details. Repeating the call does not help.',
    tooOld:
      'The app was offline too long to receive every change. It must read all data once and start again.',
    rateLimited: 'The app called too often. It should wait as long as “Retry-After” says, and send batches.',
    unavailable:
      'The server was busy or restarting. The app should try again. With an idempotency key, nothing counts twice.',
    internal: 'An error occurred on the server. Give the request ID to the system administrator.',
    unknown: 'The error above shows the reason. There is no further advice for it.',
    nowResolved: 'This has changed since then. The call would no longer be refused for this reason.',
    nowRevoked: 'The credential has been revoked. Issue a new one.',
    nowUnusable: 'In addition, the credential can’t be used at the moment.',
  },
  zh: {
    why: '原因与处理办法',
    none: '调用成功。',
    tokenMissing: '应用没有携带凭证。请在应用中按“Authorization: Bearer …”设置。',
    tokenUnknown: '凭证不存在，可能没有复制完整，或属于另一台服务器。请与新建时的凭证核对。',
    tokenDisabled: '当时凭证已停用或已吊销。请在“API 凭证”中启用，或新建凭证。',
    tokenExpired: '当时凭证已过期。请在“API 凭证”中重新设置有效期。',
    accessTokenExpired: '应用的访问令牌已过期。应用需要每小时重新获取一次。',
    schoolDisabled: '学校已停用，其凭证全部无效。请联系系统管理员。',
    issuerUnable: '凭证的创建者已停用，或不再负责此范围。请新建凭证。',
    permission: '当时凭证没有 {{permission}} 权限。如果应用确实需要，请在“编辑”中添加。',
    scopeSchool: '此调用需要全校范围的凭证。如果应用确实需要，请新建全校范围的凭证。',
    scopeGrade: '此调用需要年级或全校范围的凭证。如果应用确实需要，请新建相应范围的凭证。',
    outOfRange: '调用涉及凭证范围之外的数据。请修改应用，或新建范围更大的凭证。',
    notFound: '凭证范围内没有所请求的数据，请检查应用使用的 ID。',
    outside: '所请求的数据（ID {{id}}）不在凭证范围内。如果应用需要，请新建范围更大的凭证。',
    wasOutside: '所请求的数据（ID {{id}}）当时不在凭证范围内。',
    gone: '您负责的范围内没有所请求的数据（ID {{id}}），可能已被删除。请让应用重新读取列表。',
    unknownPath: '没有这个接口地址或方法，可能是应用中的拼写错误，请对照 API 文档。',
    badRequest: '应用发送的内容有误，详见上面的错误原因，请联系应用的开发者改正。',
    tooLarge: '应用一次发送的内容过大，请分批发送。',
    conflict: '与已有数据冲突，例如名称已被占用，详见上面的错误原因。重复调用不能解决问题。',
    tooOld: '应用离线时间过长，无法再获取全部变更，需要重新读取全部数据。',
    rateLimited: '应用调用过于频繁。请按“Retry-After”等待，并改用批量接口。',
    unavailable: '服务器当时繁忙或正在重启，应用可以重试；使用幂等键不会重复计分。',
    internal: '服务器出错。请把请求 ID 提供给系统管理员。',
    unknown: '详见上面的错误原因，暂无处理建议。',
    nowResolved: '之后情况已有变化，现在的调用不会再因此被拒绝。',
    nowRevoked: '该凭证已被吊销，请新建凭证。',
    nowUnusable: '另外，该凭证目前无法使用。',
  },
});
