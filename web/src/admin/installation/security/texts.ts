import { defineTexts } from '../../../i18n/texts.ts';

export const texts = defineTexts({
  title: ['Sign-in security', '登录安全'],
  rolesTitle: ['Roles that need a second factor', '必须开启二次验证的角色'],
  rolesText: [
    'People without one must set it up before they can do anything else. Signing in with a school’s sign-in service also counts.',
    '尚未开启的人员须先完成设置，才能进行其他操作。通过学校的登录服务登录，视为已完成二次验证。',
  ],
  without: [
    '{{count}} of {{all}} has none yet',
    '{{count}} of {{all}} have none yet',
    '共 {{all}} 人，{{count}} 人尚未开启',
  ],
  everybody: ['Everyone has one ({{all}})', '共 {{all}} 人，均已开启'],
  nobody: ['Nobody has this role', '暂无此角色的人员'],
  yoursFirst: [
    'This is your own role: set up your second factor first.',
    '这是您自己的角色，请先设置自己的二次验证。',
  ],
  toAccount: ['My account', '我的账号'],
  requireTitle: ['Require a second factor for this role?', '要求此角色开启二次验证？'],
  requireText: [
    '{{role}}: {{count}} person has none and must set one up before doing anything else.',
    '{{role}}: {{count}} people have none and must set one up before doing anything else.',
    '{{role}}中有 {{count}} 人尚未开启，须先完成设置才能进行其他操作。',
  ],
  require: ['Require second factor', '要求开启'],
  providersTitle: ['Sign-in services', '登录服务'],
  providersText: [
    'Each school can let its staff and students sign in with its own service.',
    '各学校可让师生通过本校的登录服务登录。',
  ],
  toProviders: ['Single sign-on', '单点登录'],
});
