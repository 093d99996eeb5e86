import { defineTexts } from '../../../i18n/texts.ts';

export const texts = defineTexts({
  title: ['Single sign-on', '单点登录'],
  description: [
    'Staff and students of {{school}} can sign in with the school’s own service (OpenID Connect).',
    '{{school}}的师生可以通过学校自己的登录服务（OpenID Connect）登录。',
  ],
  addProvider: ['Add sign-in service', '添加登录服务'],
  emptyTitle: ['No sign-in service yet', '尚未添加登录服务'],
  emptyHint: [
    'Register Classledger at the service first. It asks for the redirect address below and gives you a client ID and a secret.',
    '请先在登录服务中注册本系统：填写下方的回调地址，获取客户端 ID 和密钥。',
  ],
  returnAddress: ['Redirect address', '回调地址'],
  returnHint: [
    'Enter it at the service as the redirect URI or callback URL.',
    '请在登录服务中将其填写为回调（重定向）地址。',
  ],
  signInPages: ['Sign-in pages of this school', '本校登录页'],
  signInPagesHint: [
    'These links open the sign-in page with the school’s buttons.',
    '通过这些链接打开登录页，会直接显示本校的登录按钮。',
  ],
  forStaff: ['Staff', '教职工'],
  forStudents: ['Students', '学生'],
  issuer: ['Issuer', '颁发者（Issuer）'],
  forWhom: ['For', '适用对象'],
  both: ['Staff and students', '教职工和学生'],
  nobody: ['Nobody', '无'],
  bound: ['Linked accounts', '已绑定账号'],
  test: ['Test', '测试'],
  editTitle: ['Edit {{name}}', '编辑“{{name}}”'],
  nameLabel: ['Name on the button', '按钮名称'],
  nameHint: ['For example, the name your school uses for its accounts.', '例如学校统一身份认证平台的名称。'],
  issuerHint: [
    'Begins with https, for example https://login.school.example',
    '以 https 开头，例如 https://login.school.example',
  ],
  clientId: ['Client ID', '客户端 ID'],
  clientSecret: ['Client secret', '客户端密钥'],
  secretHint: ['Stored encrypted and never shown again.', '加密保存，之后不再显示。'],
  secretKept: ['Leave empty to keep it.', '留空则保持不变。'],
  secretNeeded: [
    'To change the issuer or client ID, enter the secret again.',
    '修改颁发者或客户端 ID 时，需重新填写密钥。',
  ],
  scopes: ['Scopes', '权限范围（Scopes）'],
  claim: ['Claim that identifies the account', '用于匹配账号的声明（Claim）'],
  claimHint: [
    'Choose one that people can’t change themselves. It is compared with the username. After the first sign-in, the account stays linked to that person.',
    '请选择用户自己无法修改的声明。系统用它匹配用户名；首次登录后，账号与该用户绑定。',
  ],
  attribute: ['Find students by', '匹配学生的方式'],
  byEmail: ['Email address', '邮箱'],
  createStudents: ['Create students who have no account yet', '自动创建没有账号的学生'],
  createIn: [
    'They are added to the class you choose. Staff accounts are never created.',
    '新学生会加入所选班级。教职工账号不会自动创建。',
  ],
  issuerWrong: ['Enter an address that begins with https.', '请填写以 https 开头的地址。'],
  noSpaces: ['Remove the spaces.', '不能包含空格。'],
  added: ['{{name}} was added. Test it now.', '已添加“{{name}}”，请进行测试。'],
  enabledDone: ['{{name}} is now on the sign-in page.', '“{{name}}”已显示在登录页。'],
  disabledDone: ['{{name}} is no longer on the sign-in page.', '“{{name}}”已从登录页移除。'],
  removeTitle: ['Remove {{name}}?', '移除“{{name}}”？'],
  removeText: [
    'Nobody can sign in with it any more. Accounts are kept, but their links to this service are deleted.',
    '移除后无法再通过它登录。账号会保留，但与该服务的绑定会清除。',
  ],
  remove: ['Remove', '移除'],
  removed: ['{{name}} was removed.', '已移除“{{name}}”。'],
  lastOne: [
    'This service is still needed because passwords are switched off. Allow passwords or enable another service first.',
    '密码登录已关闭，仍需使用此登录服务。请先开启密码登录，或启用其他登录服务。',
  ],
  nameTaken: [
    'This name is taken, or staff or students would have no way to sign in. Choose another name, or allow passwords first.',
    '名称已被使用，或修改后教职工或学生将无法登录。请换一个名称，或先开启密码登录。',
  ],
  refused: [
    'Check your entries. The issuer must begin with https.',
    '请检查填写的内容：颁发者必须使用 https。',
  ],
  secretUnreadable: [
    'The stored client secret can’t be read. Edit the service and enter the secret again.',
    '无法读取已保存的客户端密钥，请编辑该服务并重新填写。',
  ],
  found_ok: ['{{name}} works and accepts Classledger.', '“{{name}}”响应正常，客户端有效。'],
  found_unreachable: [
    '{{name}} does not answer. Check the issuer.',
    '“{{name}}”没有响应，请检查颁发者地址。',
  ],
  found_noDiscovery: [
    'No OpenID Connect service was found at this address. Check the issuer.',
    '在该地址没有找到 OpenID Connect 服务，请检查颁发者地址。',
  ],
  found_otherIssuer: [
    'The service reports a different issuer address. Enter exactly that address as the issuer.',
    '该服务使用另一个颁发者地址，请填写与其完全一致的地址。',
  ],
  found_insecureAddress: [
    'The service uses an address without https. Change it there.',
    '该服务使用了非 https 地址，请在服务中更改。',
  ],
  found_noCodeFlow: [
    'The service does not offer the authorization code flow. Enable it there.',
    '该服务不支持授权码模式，请在服务中启用。',
  ],
  found_noProofKey: [
    'The service does not offer PKCE (S256). Enable it there.',
    '该服务不支持 PKCE（S256），请在服务中启用。',
  ],
  found_noSignature: [
    'The service signs with a shared secret. Choose RS256 or ES256 there.',
    '该服务使用共享密钥签名，请在服务中选择 RS256 或 ES256。',
  ],
  found_keysMissing: [
    'Couldn’t read the service’s signing keys. Check its settings.',
    '无法读取该服务的公钥，请检查服务的设置。',
  ],
  found_clientRejected: [
    'The service does not accept this client ID and secret. Check both.',
    '该服务不接受此客户端 ID 和密钥，请核对。',
  ],
  passwords: ['Passwords', '密码登录'],
  passwordsHint: [
    'Switch them off if everyone signs in with the service. Super admins can always use their password.',
    '如果所有人都通过登录服务登录，可以关闭密码登录。超级管理员始终可以使用密码。',
  ],
  staffPasswords: ['Staff may sign in with a password or passkey', '教职工可以使用密码或通行密钥登录'],
  studentPasswords: [
    'Students may sign in with a password or the code on a slip',
    '学生可以使用密码或密码条二维码登录',
  ],
  noProvider: ['Add and enable a sign-in service for them first.', '请先为他们添加并启用登录服务。'],
});
