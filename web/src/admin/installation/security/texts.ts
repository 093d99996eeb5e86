import { defineTexts } from '../../../i18n/texts.ts';

export const texts = defineTexts({
  en: {
    title: 'Sign-in security',
    rolesTitle: 'Roles that need a second factor',
    rolesText:
      'People without one must set it up before they can do anything else. Signing in with a school’s sign-in service also counts.',
    without_one: '{{count}} of {{all}} has none yet',
    without_other: '{{count}} of {{all}} have none yet',
    everybody: 'Everyone has one ({{all}})',
    nobody: 'Nobody has this role',
    yoursFirst: 'This is your own role: set up your second factor first.',
    toAccount: 'My account',
    requireTitle: 'Require a second factor for this role?',
    requireText_one: '{{role}}: {{count}} person has none and must set one up before doing anything else.',
    requireText_other: '{{role}}: {{count}} people have none and must set one up before doing anything else.',
    require: 'Require second factor',
    providersTitle: 'Sign-in services',
    providersText: 'Each school can let its staff and students sign in with its own service.',
    toProviders: 'Single sign-on',
  },
  zh: {
    title: '登录安全',
    rolesTitle: '必须开启二次验证的角色',
    rolesText: '尚未开启的人员须先完成设置，才能进行其他操作。通过学校的登录服务登录，视为已完成二次验证。',
    without_other: '共 {{all}} 人，{{count}} 人尚未开启',
    everybody: '共 {{all}} 人，均已开启',
    nobody: '暂无此角色的人员',
    yoursFirst: '这是您自己的角色，请先设置自己的二次验证。',
    toAccount: '我的账号',
    requireTitle: '要求此角色开启二次验证？',
    requireText_other: '{{role}}中有 {{count}} 人尚未开启，须先完成设置才能进行其他操作。',
    require: '要求开启',
    providersTitle: '登录服务',
    providersText: '各学校可让师生通过本校的登录服务登录。',
    toProviders: '单点登录',
  },
});
